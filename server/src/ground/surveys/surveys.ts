/** The surveys of a project, as clients ask for them. */
export interface Surveys {
  /** Whether any survey is running. */
  any(): Promise<boolean>
  /** The running surveys in the form of `/api/surveys` (analytics §7). */
  running(): Promise<readonly object[]>
}

/** A project without surveys. */
export const noSurveys: Surveys = { any: async () => false, running: async () => [] }
