import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Instant, Nullable } from '../../ground/http/schemas.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { backupsError } from './errors.ts'
import type { ListedBackup } from './list.ts'
import type { Backups, BackupsState } from './schedule.ts'
import { CheckResultSchema } from './verify/check.ts'

const tags = ['backups']

const Backup = Type.Object(
  {
    id: Type.String(),
    problem: Nullable(Type.String(), { description: 'Why it cannot be read' }),
    instant: Nullable(Instant, { description: 'Rows that were committed by then are in it' }),
    sizeBytes: Type.Number(),
    newBytes: Type.Number({ description: 'Of those, what no earlier backup had' }),
    parts: Type.Array(Type.Object({ name: Type.String(), files: Type.Integer(), sizeBytes: Type.Number() })),
    hasKeys: Type.Boolean({ description: 'Whether keys and settings are in it, sealed' }),
    leftOut: Type.Array(Type.String()),
    verification: Nullable(
      Type.Object({ at: Instant, isGood: Type.Boolean(), checks: Type.Array(CheckResultSchema) }),
      { description: 'What opening it showed; null where it was not opened yet' },
    ),
  },
  { $id: 'Backup' },
)

const Failure = Type.Object({ at: Instant, message: Type.String() })

const listRoute = {
  operationId: 'backups',
  tags,
  summary: 'Backups, newest first, and what the schedule does',
  response: {
    200: Type.Object(
      {
        target: Nullable(Type.String(), {
          description: 'The folder or bucket that they are in; null where none are made',
        }),
        isExternal: Type.Boolean({ description: 'Whether PostgreSQL is another server, which its own tools back up' }),
        everyHours: Type.Integer(),
        running: Nullable(Type.Union([Type.Literal('create'), Type.Literal('verify'), Type.Literal('prune')])),
        failure: Nullable(Failure),
        wal: Nullable(
          Type.Object({
            spans: Type.Array(Type.Object({ from: Instant, until: Instant }), {
              description: 'Moments that can be restored, the oldest first',
            }),
            untilAt: Nullable(Instant, { description: 'What was committed by then is kept' }),
            untilLsn: Nullable(Type.String()),
            gap: Nullable(Type.Object({ after: Nullable(Instant), reason: Type.String() }), {
              description: 'The newest gap in the kept log',
            }),
            failure: Nullable(Failure, { description: 'Why it goes no further' }),
          }),
          { description: 'How far PostgreSQL’s log is kept; null where it is not to be' },
        ),
        backups: Type.Array(Backup),
      },
      { $id: 'BackupsAnswer' },
    ),
  },
}
const runRoute = {
  operationId: 'runBackup',
  tags,
  summary: 'Begin a backup now, unless one is under way',
  response: { 202: Type.Null() },
}

/** Backups in the console: all but viewers see them; owners and developers begin one. */
export function backupRoutes(
  backups: Backups | null,
  isExternal: boolean,
  actions: OperatorActions,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/backups', { schema: listRoute }, async (request) => {
      actions.check(request, 'look')
      if (backups === null)
        return { target: null, isExternal, everyHours: 0, running: null, failure: null, wal: null, backups: [] }
      const { failure, wal, backups: listed, ...state } = await backups.state()
      return {
        ...{ ...state, isExternal, failure: renderFailure(failure), backups: listed.map(renderBackup) },
        wal: wal === null ? null : renderWal(wal),
      }
    })

    app.post('/backups/run', { schema: runRoute }, async (request, reply) => {
      const action = { name: 'backup.run', target: 'the instance' }
      await actions.run(request, action, async () => {
        if (backups === null) throw backupsError(isExternal ? 'CLEW_BACKUP_EXTERNAL' : 'CLEW_BACKUP_NO_TARGET')
        backups.runNow()
      })
      return reply.code(202).send(null)
    })
  }
}

const renderFailure = (failure: BackupsState['failure']) =>
  failure === null ? null : { at: failure.at.toISOString(), message: failure.message }

const renderWal = ({ spans, untilAt, untilLsn, gap, failure }: NonNullable<BackupsState['wal']>) => ({
  ...{ spans: [...spans], untilAt, untilLsn, gap },
  failure: renderFailure(failure),
})

function renderBackup({ id, problem, manifest, verification }: ListedBackup) {
  const archives = manifest?.archives ?? []
  const sum = (of: 'sizeBytes' | 'newBytes'): number => archives.reduce((total, archive) => total + archive[of], 0)
  return {
    ...{ id, problem, instant: manifest?.instant ?? null, sizeBytes: sum('sizeBytes'), newBytes: sum('newBytes') },
    parts: archives.map(({ name, files, sizeBytes }) => ({ name, files, sizeBytes })),
    hasKeys: manifest !== null && manifest.secrets !== null,
    leftOut: manifest?.leftOut ?? [],
    verification:
      verification === null
        ? null
        : { at: verification.at, isGood: verification.isGood, checks: [...verification.checks] },
  }
}
