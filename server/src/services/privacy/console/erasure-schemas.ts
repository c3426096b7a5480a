import Type, { type Static } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import { shortestText } from '../../../ground/privacy/person-texts.ts'

const Id = Type.String({ format: 'uuid' })
const Name = Type.String({ minLength: 1, maxLength: 63 })
const Action = Type.Union([Type.Literal('delete'), Type.Literal('set null')])

/** Whose data: a person of analytics, or a user. */
export const PersonKeyQuery = Type.Object({
  kind: Type.Union([Type.Literal('person'), Type.Literal('user')], {
    description: 'Whether `id` is a person of analytics or a user of the application',
  }),
  id: Id,
})

const RowsChoices = Type.Array(Type.Object({ schema: Name, table: Name, column: Name, action: Action }), {
  maxItems: 100,
  description: 'What becomes of rows that name the user; of others what their foreign key says',
})

export const ErasureBody = Type.Object({
  ...PersonKeyQuery.properties,
  texts: Type.Array(Type.String({ minLength: shortestText, maxLength: 320 }), {
    maxItems: 20,
    description: 'E-mail addresses, numbers and names: replaced by `[erased]` in what is kept of others',
  }),
  tables: RowsChoices,
  refuse: Type.Boolean({ description: 'Whether nothing more is stored of their ids' }),
})

export const CheckBody = Type.Object({ ...PersonKeyQuery.properties, tables: RowsChoices })

const StoreCount = Type.Object({ store: Type.String(), rows: Type.Integer() })

const Backups = Type.Object({
  count: Type.Integer(),
  until: Nullable(Instant, { description: 'When the last of them is gone at the latest; null where none says' }),
})

export const ErasurePreview = Type.Object(
  {
    personId: Nullable(Type.String()),
    userId: Nullable(Type.String()),
    hasAccount: Type.Boolean(),
    ids: Type.Integer({ description: 'Distinct ids' }),
    texts: Type.Array(
      Type.Object({
        text: Type.String(),
        isTelling: Type.Boolean({
          description: 'Whether it names one person, and is looked for unless it is left out',
        }),
      }),
    ),
    counts: Type.Array(StoreCount, { description: 'Rows that are the person’s own' }),
    tables: Type.Array(
      Type.Object({
        ...{ schema: Type.String(), table: Type.String(), column: Type.String() },
        rows: Type.Integer({ description: '10,000 says as many or more' }),
        onDelete: Type.Enum(['deleted', 'emptied', 'kept from being deleted']),
        canBeEmptied: Type.Boolean(),
      }),
    ),
    backups: Backups,
    holds: Type.Array(Type.Object({ id: Id, reason: Type.String(), until: Nullable(Instant) }), {
      description: 'Open legal holds on data of the person: nothing is removed while there is one',
    }),
  },
  { $id: 'ErasurePreview' },
)

export const Refusal = Nullable(
  Type.Object({ message: Type.String(), detail: Nullable(Type.String()), table: Nullable(Type.String()) }),
  { description: 'Why the database does not let the account go; null where it does' },
)

export const Erasure = Type.Object(
  {
    id: Type.String(),
    createdAt: Instant,
    createdBy: Type.String({ description: 'E-mail address of the operator' }),
    refuses: Type.Boolean(),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('done')]),
    stepsDone: Type.Integer(),
    steps: Type.Integer({ description: '0 before it begins' }),
    store: Nullable(Type.String(), { description: 'Where it is at work' }),
    counts: Type.Array(StoreCount, { description: 'What was kept when it was asked for' }),
    stores: Type.Array(Type.Object({ store: Type.String(), removed: Type.Integer(), rewritten: Type.Integer() })),
    tables: Type.Array(
      Type.Object({ table: Type.String(), column: Type.String(), action: Action, rows: Type.Integer() }),
    ),
    left: Nullable(Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer() })), {
      description: 'Tables in which the search after it found the person; null while it is not done',
    }),
    backups: Nullable(Backups),
    endedAt: Nullable(Instant),
    error: Nullable(Type.String(), { description: 'Of the last attempt; it is tried again' }),
  },
  { $id: 'PersonErasure' },
)
export type Erasure = Static<typeof Erasure>

export const Verified = Type.Object({
  outcome: Type.Enum(['good', 'of another instance', 'changed', 'not a certificate']),
  id: Nullable(Type.String()),
  completedAt: Nullable(Instant),
})
