type Unit = "micros" | "bytes" | "count";

export interface HistogramValue {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly buckets: readonly { readonly idx: number; readonly count: number }[];
}

/** One row of a performance report (wire.md 17). */
export interface Metric {
  readonly name: string;
  readonly unit: Unit;
  readonly kind: "histogram" | "counter" | "gauge";
  readonly value: number | HistogramValue;
}

/** What has happened so often, or was so much, since the start or the last reset. */
export class Counter {
  readonly #name: string;
  readonly #unit: Unit;
  #value = 0;

  constructor(name: string, unit: Unit) {
    this.#name = name;
    this.#unit = unit;
  }

  add(amount = 1): void {
    this.#value += amount;
  }

  reset(): void {
    this.#value = 0;
  }

  get metric(): Metric {
    return { name: this.#name, unit: this.#unit, kind: "counter", value: this.#value };
  }
}

/** Values up to here have a bucket each; above, an octave has eight. */
const EXACT = 32;
const FIRST_OCTAVE = 5;
const PER_OCTAVE = 8;

/** The bucket of a whole number that is not negative. */
export function bucketOf(value: number): number {
  if (value < EXACT) return value;
  const octave = Math.floor(Math.log2(value));
  const eighth = Math.floor((value / 2 ** octave - 1) * PER_OCTAVE);
  return EXACT + (octave - FIRST_OCTAVE) * PER_OCTAVE + eighth;
}

/** How whole numbers are spread, without keeping them. */
export class Histogram {
  readonly #name: string;
  readonly #unit: Unit;
  readonly #buckets = new Map<number, number>();
  #count = 0;
  #sum = 0;
  #min = 0;
  #max = 0;

  constructor(name: string, unit: Unit) {
    this.#name = name;
    this.#unit = unit;
  }

  record(value: number): void {
    const whole = Math.max(0, Math.round(value));
    const bucket = bucketOf(whole);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#min = this.#count === 0 ? whole : Math.min(this.#min, whole);
    this.#max = Math.max(this.#max, whole);
    this.#count += 1;
    this.#sum += whole;
  }

  reset(): void {
    this.#buckets.clear();
    this.#count = this.#sum = this.#min = this.#max = 0;
  }

  get metric(): Metric {
    const buckets = [...this.#buckets].map(([idx, count]) => ({ idx, count })).sort((a, b) => a.idx - b.idx);
    const value = { count: this.#count, sum: this.#sum, min: this.#min, max: this.#max, buckets };
    return { name: this.#name, unit: this.#unit, kind: "histogram", value };
  }
}

/** What a server counts about its own work. */
export class Meter {
  readonly framesIn = new Counter("frames_in", "count");
  readonly framesOut = new Counter("frames_out", "count");
  readonly bytesIn = new Counter("bytes_in", "bytes");
  readonly bytesOut = new Counter("bytes_out", "bytes");
  readonly eventsOut = new Counter("events_out", "count");
  readonly paneOutput = new Counter("pane_output", "bytes");
  /** From a decoded request to its answer. */
  readonly requestTime = new Histogram("request_time", "micros");

  get #all(): readonly (Counter | Histogram)[] {
    const traffic = [this.framesIn, this.framesOut, this.bytesIn, this.bytesOut];
    return [...traffic, this.eventsOut, this.paneOutput, this.requestTime];
  }

  get metrics(): readonly Metric[] {
    return this.#all.map(({ metric }) => metric);
  }

  reset(): void {
    for (const one of this.#all) one.reset();
  }
}
