/** Whose data may be stored, by the decisions of visitors and the setting `analytics.consent`. */
export interface Consent {
  /** Whether all data may be stored at the moment: consent is not required, and no visitor has refused it. */
  isOpen(): Promise<boolean>
  /** Those of the ids whose data may be stored. `''` stands for data that names no visitor. */
  among(distinctIds: readonly string[]): Promise<ReadonlySet<string>>
}

/** Of tests, and of parts that run by themselves: everything is stored. */
export const openConsent: Consent = {
  isOpen: async () => true,
  among: async (distinctIds) => new Set(distinctIds),
}
