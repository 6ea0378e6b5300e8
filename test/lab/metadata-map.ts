import type { Scope } from "../../src/wire/identity.ts";

/** One text per scope, so that scopes can key a map. */
export function scopeText(scope: Scope): string {
  switch (scope.tag) {
    case "global":
      return "global";
    case "group":
      return `group ${scope.group}`;
    case "resource":
      return scope.id.tag === "local" ? `@${scope.id.id}` : `${scope.id.host}/@${scope.id.id}`;
  }
}

/** Opaque values by scope and key (wire.md 20). */
export class MetadataMap {
  readonly #scopes = new Map<string, Map<string, Uint8Array>>();

  get(scope: Scope, key: string): Uint8Array | undefined {
    return this.#scopes.get(scopeText(scope))?.get(key);
  }

  /** Stores a value; false when the same bytes were there already. */
  set(scope: Scope, key: string, value: Uint8Array): boolean {
    const name = scopeText(scope);
    const keys = this.#scopes.get(name) ?? new Map<string, Uint8Array>();
    this.#scopes.set(name, keys);
    const before = keys.get(key);
    // The bytes may be a view of a receive buffer: what is kept is a copy.
    keys.set(key, Uint8Array.from(value));
    return !before || Buffer.compare(before, value) !== 0;
  }

  delete(scope: Scope, key: string): boolean {
    return this.#scopes.get(scopeText(scope))?.delete(key) ?? false;
  }

  keys(scope: Scope): string[] {
    const keys = [...(this.#scopes.get(scopeText(scope))?.keys() ?? [])];
    return keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }

  dropScope(scope: Scope): void {
    this.#scopes.delete(scopeText(scope));
  }
}
