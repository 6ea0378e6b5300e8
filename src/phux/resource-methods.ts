import { hasFeature } from "../wire/capability.ts";
import type { ServerCapabilities } from "../wire/frame.ts";
import type { Inventory } from "./inventory.ts";
import { type Facet, isMutating, type Method, methods } from "./method.ts";

export type ResourceKindName = ReturnType<Inventory["kindOf"]>;

/** Why a method cannot be used on a resource. `transport` (for the owner's socket alone) never holds on a Unix socket. */
export type Unavailable = "wrong_kind" | "unimplemented" | "feature_unadvertised";

/** One row of phux_resource_methods, its members in the order of tools.md 57. */
export interface MethodRow {
  readonly name: string;
  readonly facet: Facet;
  /** The permissions it needs, joined with `+`, or `none`. */
  readonly verb: string;
  readonly mutating: boolean;
  readonly dangerous: boolean;
  readonly available: boolean;
  readonly reason: Unavailable | null;
}

/** The whole catalogue, judged against a resource's kind and what the server advertises (client.md 4.19). */
export function methodRows(kind: ResourceKindName, server: ServerCapabilities): MethodRow[] {
  return Object.values<Method>(methods).flatMap((method) => {
    const { name, facet, verbs, dangerous } = method;
    if (facet === null) return [];
    const reason = unavailable(method, facet, kind, server);
    const verb = verbs.length === 0 ? "none" : verbs.join("+");
    return [{ name, facet, verb, mutating: isMutating(method), dangerous, available: reason === null, reason }];
  });
}

function unavailable(
  { gate, unimplemented }: Method,
  facet: Facet,
  kind: ResourceKindName,
  server: ServerCapabilities,
): Unavailable | null {
  if (facet !== "substrate" && facet !== kind) return "wrong_kind";
  if (unimplemented) return "unimplemented";
  return gate === null || hasFeature(server, gate) ? null : "feature_unadvertised";
}
