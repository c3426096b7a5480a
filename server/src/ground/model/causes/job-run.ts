/** A run of a scheduled job. Numbers start again when the extension is created anew; with its start a run is one. */
export interface JobRun {
  readonly jobId: string
  readonly runId: string
  /** Unix milliseconds. */
  readonly startedAtMs: number
}

/** The id by which changes and requests from SQL name the run that made them. */
export const jobRunId = ({ jobId, runId, startedAtMs }: JobRun): string => `job:${jobId}:${runId}:${startedAtMs}`

/** The run of an id; null for another id, as a request's. */
export function parseJobRunId(id: string): JobRun | null {
  const [, jobId, runId, startedAtMs] = /^job:(\d{1,19}):(\d{1,19}):(\d{1,15})$/.exec(id) ?? []
  if (jobId === undefined || runId === undefined) return null
  return { jobId, runId, startedAtMs: Number(startedAtMs) }
}
