import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { describeShared, sharedJson } from "../shared.ts";
import { type Dialogue, readDialogues } from "./recording.ts";
import { ReplayLife } from "./replay.ts";
import { type LifeScript, lives } from "./replay-lives.ts";

/** The lab speaking 0.8 against the recorded 0.22: the client's half is played, the server's half compared. */
describeShared("recorded dialogues", () => {
  const recorded = new Map<string, Dialogue>();

  beforeAll(() => {
    for (const dialogue of readDialogues(sharedJson("vectors/recorded-0.8.json")))
      recorded.set(dialogue.name, dialogue);
  });

  test("every dialogue is played in some life", () => {
    const played = lives.flatMap((script) => script.dialogues.map(nameOf));
    expect(played.toSorted()).toEqual([...recorded.keys()].toSorted());
  });

  describe.each([...lives])("$about", (script) => {
    let life: ReplayLife;

    beforeAll(async () => {
      life = await ReplayLife.begin(script.session);
      await script.prepare?.(life);
    });

    afterAll(() => life.end());

    const entries = script.dialogues.map((entry) => [nameOf(entry), entry] as const);
    test.each(entries)("%s", async (name, entry) => {
      const dialogue = recorded.get(name);
      if (!dialogue) throw new Error(`${name} is not in the recording`);
      if (typeof entry !== "string") await entry.before(life, dialogue);
      await life.play(dialogue, script);
    });

    test("the event subscribers got nothing that was not recorded", () => {
      expect(life.leftOver(script.complete ?? [])).toEqual([]);
    });
  });
});

function nameOf(entry: LifeScript["dialogues"][number]): string {
  return typeof entry === "string" ? entry : entry.name;
}
