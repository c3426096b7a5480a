/**
 * From when on what a visitor did may be stored, in milliseconds since 1970. After a withdrawal and a new consent, nothing of
 * before may: what waited on its way is no exception.
 */
export interface AllowedSince {
  /** What arrived before, by our clock, may not. */
  readonly receivedMs: number
  /** What happened before, by our clock as far as the client's can be corrected, may not. */
  readonly happenedMs: number
}

/** Of a visitor who never withdrew their consent. */
export const alwaysAllowed: AllowedSince = {
  receivedMs: Number.NEGATIVE_INFINITY,
  happenedMs: Number.NEGATIVE_INFINITY,
}

/** When something arrived and when it happened, in milliseconds since 1970. */
export type RowTimes = AllowedSince

/**
 * Whether a row may be stored.
 *
 * @param since undefined: nothing of its visitor may be
 * @param times is asked for only where they decide
 */
export function mayBeStored(since: AllowedSince | undefined, times: () => RowTimes): boolean {
  if (since === undefined || since === alwaysAllowed) return since !== undefined
  const { receivedMs, happenedMs } = times()
  return receivedMs >= since.receivedMs && happenedMs >= since.happenedMs
}

/** Of a row that has one time, by our clock. */
export const atOnce = (ms: number): RowTimes => ({ receivedMs: ms, happenedMs: ms })

/** Whose data may be stored, by the decisions of visitors and the setting `analytics.consent`. */
export interface Consent {
  /** Whether all data may be stored at the moment: consent is not required, and no visitor has ever refused it. */
  isOpen(): Promise<boolean>
  /** Those of the ids whose data may be stored from now on. `''` stands for data that names no visitor. */
  among(distinctIds: readonly string[]): Promise<ReadonlySet<string>>
  /** From when on the data of ids may be stored, which may have waited; without ids of which nothing may be. */
  since(distinctIds: readonly string[]): Promise<ReadonlyMap<string, AllowedSince>>
}

/** Of tests, and of parts that run by themselves: everything is stored. */
export const openConsent: Consent = {
  isOpen: async () => true,
  among: async (distinctIds) => new Set(distinctIds),
  since: async (distinctIds) => new Map(distinctIds.map((id) => [id, alwaysAllowed])),
}
