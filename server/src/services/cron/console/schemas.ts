import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'

export const RunSummary = Type.Object(
  {
    runId: Type.String(),
    status: Type.Union([Type.Literal('running'), Type.Literal('succeeded'), Type.Literal('failed')]),
    message: Nullable(
      Type.String({ description: 'The command’s tag or error, as psql shows it; null for an analyst' }),
    ),
    startedAt: Nullable(Instant),
    endedAt: Nullable(Instant),
    durationMs: Nullable(Type.Number()),
  },
  { $id: 'JobRun' },
)

export const JobSummary = Type.Object(
  {
    jobId: Type.String(),
    name: Nullable(Type.String()),
    schedule: Type.String(),
    scheduleWords: Nullable(Type.String({ description: 'Null for a text that is no schedule: such a job never runs' })),
    command: Nullable(Type.String(), { description: 'Its first 16,384 characters; null for an analyst' }),
    database: Type.String(),
    owner: Type.String({ description: 'The role that it runs as' }),
    active: Type.Boolean(),
    nextRunAt: Nullable(Instant, { description: 'Null: not active, at the start only, or not within 400 days' }),
    lastRun: Nullable(RunSummary),
  },
  { $id: 'Job' },
)

export const JobsPage = Type.Object({
  installed: Type.Boolean({ description: 'Whether the extension pg_cron is created' }),
  timeZone: Type.String({ description: 'In which schedules are read' }),
  jobs: Type.Array(JobSummary),
  next: Nullable(Type.String(), { description: 'Send it as `after` for the next page' }),
})

export const RunsPage = Type.Object({
  runs: Type.Array(RunSummary),
  next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
})

export const RunDetail = Type.Object({
  run: RunSummary,
  jobId: Type.String(),
  command: Nullable(Type.String(), { description: 'Its first 16,384 characters; null for an analyst' }),
  owner: Type.String(),
  database: Type.String(),
  causeId: Nullable(Type.String({ description: 'By which row changes and requests from SQL name this run' })),
})

export type RunSummary = Static<typeof RunSummary>
export type JobSummary = Static<typeof JobSummary>
export type JobsPage = Static<typeof JobsPage>
export type RunsPage = Static<typeof RunsPage>
export type RunDetail = Static<typeof RunDetail>
