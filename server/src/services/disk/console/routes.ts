import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { Disk, DiskState } from '../disk.ts'
import { diskKinds } from '../kinds.ts'

const tags = ['disk']

const DiskSchema = Type.Object(
  {
    freeBytes: Type.Number(),
    totalBytes: Type.Number(),
    reserveBytes: Type.Number({ description: 'With less free, events, recordings and files are refused' }),
    isShort: Type.Boolean({ description: 'Whether they are refused now' }),
    fullAt: Nullable(Instant, {
      description:
        'When the disk is full if all kinds go on growing; null where that is not known, or not within ten years',
    }),
    kinds: Type.Array(
      Type.Object({
        kind: Type.Enum([...diskKinds]),
        bytes: Nullable(Type.Number(), { description: 'Null where it could not be measured' }),
        isHere: Type.Boolean({ description: 'Whether it is on the disk of the data directory' }),
        growthBytesPerDay: Nullable(Type.Number(), {
          description: 'Of the last two weeks; null while no whole day is known',
        }),
        budgetBytes: Nullable(Type.Number(), { description: 'Beyond it the oldest are deleted' }),
        days: Nullable(Type.Integer(), { description: 'Days for which rows are kept; null for good' }),
      }),
    ),
    run: Nullable(
      Type.Object({
        day: Type.String({ format: 'date' }),
        beganAt: Instant,
        endedAt: Nullable(Instant),
        doing: Nullable(Type.String({ description: 'What is being deleted' })),
        freed: Type.Array(Type.Object({ kind: Type.String(), what: Type.String(), bytes: Type.Number() })),
        error: Nullable(Type.String({ description: 'Why it failed; it is tried again' })),
      }),
      { description: 'The latest clean-up' },
    ),
  },
  { $id: 'DiskState' },
)

const stateRoute = {
  operationId: 'disk',
  tags,
  summary: 'The free space, what each kind of data takes, and the latest clean-up',
  response: { 200: DiskSchema },
}
const runRoute = {
  operationId: 'runCleanUp',
  tags,
  summary: 'Delete now what is past its days or above its budget',
  response: { 202: Type.Null() },
}

/** The disk in the console: all but viewers see it; owners and developers begin a clean-up. */
export function diskRoutes(disk: Disk, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/disk', { schema: stateRoute }, async (request) => {
      actions.check(request, 'look')
      return renderState(await disk.state())
    })

    app.post('/disk/clean-up', { schema: runRoute }, async (request, reply) => {
      await actions.run(request, { name: 'disk.clean up', target: 'the instance' }, disk.runNow)
      return reply.code(202).send(null)
    })
  }
}

const renderState = ({ fullAt, kinds, run, ...state }: DiskState) => ({
  ...state,
  fullAt: fullAt?.toISOString() ?? null,
  kinds: [...kinds],
  run: run === null ? null : renderRun(run),
})

const renderRun = ({ id, beganAt, endedAt, freed, doing, error }: NonNullable<DiskState['run']>) => ({
  ...{ day: id, doing, error, freed: [...freed] },
  beganAt: beganAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
})
