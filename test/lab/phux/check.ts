/** One row of `phux doctor`. Names repeat: each condition has a row of its own. */
export interface Check {
  readonly name: string;
  readonly status: "pass" | "warn" | "fail";
  readonly detail: string;
  /** What to do about it. */
  readonly hint: string | null;
}

export const pass = (name: string, detail: string): Check => ({ name, status: "pass", detail, hint: null });

export const warn = (name: string, detail: string, hint: string): Check => ({ name, status: "warn", detail, hint });

export const failing = (name: string, detail: string, hint: string): Check => ({ name, status: "fail", detail, hint });
