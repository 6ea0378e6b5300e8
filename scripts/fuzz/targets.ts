import { clientTargets } from "./client.ts";
import { edgeTargets } from "./edge.ts";
import type { Target } from "./target.ts";
import { wireTargets } from "./wire.ts";

/** Everything that reads what others wrote. */
export const targets: readonly Target[] = [...wireTargets, ...clientTargets, ...edgeTargets];
