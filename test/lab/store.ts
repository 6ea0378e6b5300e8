/** The arrangement of panes: which pane stands in which window of which session. Data and its rules, no processes. */

export type Session = {
  readonly id: number;
  name: string;
  readonly createdAtSeconds: number;
  keepEmpty: boolean;
};

export type Window = {
  readonly id: number;
  readonly sessionId: number;
  readonly index: number;
  readonly name: string;
  /** In the order in which they came. */
  readonly panes: number[];
};

export class Store {
  readonly sessions: Session[] = [];
  readonly windows: Window[] = [];
  #nextSession = 1;
  #nextWindow = 1;
  #nextPane = 1;
  /** The session a client attached to last: what a spawn without an owner and `last` mean. */
  #focus: number | null = null;

  /** Ids are never used twice; a spawn that fails has used one up (recorded 0.8). */
  newPaneId(): number {
    return this.#nextPane++;
  }

  createSession(name: string, nowSeconds: number, keepEmpty = false): Session {
    const session: Session = { id: this.#nextSession++, name, createdAtSeconds: nowSeconds, keepEmpty };
    this.sessions.push(session);
    return session;
  }

  createWindow(session: Session): Window {
    const index = this.windowsOf(session).reduce((next, window) => Math.max(next, window.index + 1), 0);
    const window: Window = { id: this.#nextWindow++, sessionId: session.id, index, name: `window-${index}`, panes: [] };
    this.windows.push(window);
    return window;
  }

  sessionNamed(name: string): Session | undefined {
    return this.sessions.find((session) => session.name === name);
  }

  session(id: number): Session | undefined {
    return this.sessions.find((session) => session.id === id);
  }

  windowsOf(session: Session): Window[] {
    return this.windows.filter((window) => window.sessionId === session.id);
  }

  panesOf(session: Session): number[] {
    return this.windowsOf(session).flatMap((window) => window.panes);
  }

  windowOf(pane: number): Window | undefined {
    return this.windows.find((window) => window.panes.includes(pane));
  }

  sessionOf(pane: number): Session | undefined {
    const window = this.windowOf(pane);
    return window && this.session(window.sessionId);
  }

  /** The session in focus: the one attached to last, else the oldest. */
  get focus(): Session | undefined {
    return this.sessions.find((session) => session.id === this.#focus) ?? this.sessions[0];
  }

  focusOn(session: Session): void {
    this.#focus = session.id;
  }

  /** Takes a pane out, and with it the window and the session that it leaves empty. Gives back the session gone. */
  removePane(pane: number): Session | null {
    const window = this.windowOf(pane);
    if (!window) return null;
    window.panes.splice(window.panes.indexOf(pane), 1);
    if (window.panes.length > 0) return null;
    this.windows.splice(this.windows.indexOf(window), 1);
    const session = this.session(window.sessionId);
    return session && !session.keepEmpty ? this.removeIfEmpty(session) : null;
  }

  removeIfEmpty(session: Session): Session | null {
    if (this.windowsOf(session).length > 0) return null;
    this.sessions.splice(this.sessions.indexOf(session), 1);
    return session;
  }

  /** Puts a pane beside another. Gives back the session that this emptied. */
  movePane(pane: number, beside: number): Session | null {
    const target = this.windowOf(beside);
    if (!target || target.panes.includes(pane)) return null;
    const emptied = this.removePane(pane);
    target.panes.push(pane);
    return emptied;
  }
}
