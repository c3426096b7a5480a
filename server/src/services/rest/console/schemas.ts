import { type Static, Type } from 'typebox'

const OptionalText = Type.Union([Type.String(), Type.Null()])

export const TextValues = Type.Record(Type.String(), OptionalText, {
  description: 'Values in PostgreSQL’s text form, by column',
})

export const TableParams = Type.Object({ schema: Type.String(), table: Type.String() })

const texts = Type.Array(Type.String())

const Reference = Type.Object({ schema: Type.String(), table: Type.String(), column: Type.String() })

const ColumnShape = Type.Object({
  name: Type.String(),
  type: Type.String(),
  baseType: Type.String({ description: 'Under a domain, without modifier' }),
  nullable: Type.Boolean(),
  default: OptionalText,
  generated: Type.Boolean(),
  identity: Type.Union([Type.Literal('always'), Type.Literal('by default'), Type.Null()]),
  maxLength: Type.Union([Type.Integer(), Type.Null()]),
  labels: Type.Union([texts, Type.Null()], { description: 'The values of an enum' }),
  comment: OptionalText,
  secret: Type.Boolean({ description: 'Its values are not shown here' }),
  masked: Type.Boolean({ description: 'Its values are masked: `revealRows` answers them to an owner' }),
  isKey: Type.Boolean(),
  references: Type.Union([Reference, Type.Null()], { description: 'By a foreign key of this column alone' }),
})

const Kind = Type.Union([
  Type.Literal('table'),
  Type.Literal('partitioned_table'),
  Type.Literal('view'),
  Type.Literal('materialized_view'),
  Type.Literal('foreign_table'),
])

const DeleteAction = Type.Union([
  Type.Literal('no action'),
  Type.Literal('restrict'),
  Type.Literal('cascade'),
  Type.Literal('set null'),
  Type.Literal('set default'),
])

export const TableShape = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  kind: Kind,
  exposed: Type.Boolean({ description: 'Whether the API shows its schema' }),
  insertable: Type.Boolean(),
  updatable: Type.Boolean(),
  deletable: Type.Boolean(),
  estimatedRows: Type.Integer(),
  key: texts,
  rowId: Type.Array(Type.String(), { description: 'What names a row: the key, or `ctid`; nothing in a view' }),
  history: Type.Boolean(),
  rowSecurity: Type.Boolean(),
  policies: Type.Integer(),
  policiesOf: Type.Object(
    { select: Type.Integer(), insert: Type.Integer(), update: Type.Integer(), delete: Type.Integer() },
    { description: 'How many are asked for each command; one for all commands counts for each' },
  ),
  comment: OptionalText,
  columns: Type.Array(ColumnShape),
  referencedBy: Type.Array(
    Type.Object({ schema: Type.String(), table: Type.String(), column: Type.String(), foreignColumn: Type.String() }),
    { description: 'Foreign keys of one column that name its rows' },
  ),
})

const named = { schema: Type.String(), table: Type.String() }

/** A change of one row that an operator asks for. */
export const RowChange = Type.Union(
  [
    Type.Object({
      ...named,
      kind: Type.Literal('insert'),
      values: Type.Record(Type.String(), OptionalText, { description: 'Columns that are absent get their default' }),
    }),
    Type.Object({
      ...named,
      kind: Type.Literal('update'),
      key: TextValues,
      old: Type.Record(Type.String(), OptionalText, { description: 'Values that must still hold' }),
      values: TextValues,
      defaults: Type.Array(Type.String(), { description: 'Columns that are set to their default' }),
    }),
    Type.Object({
      ...named,
      kind: Type.Literal('delete'),
      key: TextValues,
      old: Type.Record(Type.String(), OptionalText, { description: 'Values that must still hold' }),
    }),
  ],
  { $id: 'RowChange' },
)

/** Changes that are made together or not at all. */
export const RowChanges = Type.Object({
  changes: Type.Array(RowChange, { minItems: 1, maxItems: 1000 }),
  isUndo: Type.Optional(Type.Boolean({ description: 'Whether they take earlier changes back, for the audit log' })),
})

/** A row before and after. */
const SavedChange = Type.Object(
  {
    ...named,
    operation: Type.Union([Type.Literal('insert'), Type.Literal('update'), Type.Literal('delete')]),
    key: TextValues,
    old: Type.Union([TextValues, Type.Null()]),
    new: Type.Union([TextValues, Type.Null()]),
  },
  { $id: 'SavedChange' },
)

const RowConflict = Type.Object(
  {
    index: Type.Integer({ description: 'Of the change' }),
    columns: Type.Array(Type.String(), { description: 'Whose values are no longer the old ones' }),
    current: Type.Union([TextValues, Type.Null()], { description: 'Null: the row is gone' }),
  },
  { $id: 'RowConflict' },
)

/** What PostgreSQL did not accept. */
const Refusal = Type.Object(
  {
    index: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Of the change; null for what all of them violate',
    }),
    columns: Type.Array(Type.String(), { description: 'That it concerns, as far as is known' }),
    code: Type.String({ description: 'SQLSTATE' }),
    message: Type.String(),
    detail: OptionalText,
    hint: OptionalText,
    constraint: OptionalText,
  },
  { $id: 'Refusal' },
)

/** What saving came to; but for `saved`, nothing is changed. */
export const SaveOutcome = Type.Union(
  [
    Type.Object({ kind: Type.Literal('saved'), changes: Type.Array(SavedChange) }),
    Type.Object({ kind: Type.Literal('conflict'), conflicts: Type.Array(RowConflict) }),
    Type.Object({ kind: Type.Literal('refused'), refusal: Refusal }),
  ],
  { $id: 'SaveOutcome' },
)

/** A change of the past, as a row's history has it. */
export const PastChange = Type.Object(
  {
    ...named,
    operation: Type.Union([
      Type.Literal('insert'),
      Type.Literal('update'),
      Type.Literal('delete'),
      Type.Literal('truncate'),
    ]),
    key: TextValues,
    old: Type.Union([TextValues, Type.Null()]),
    new: Type.Union([TextValues, Type.Null()]),
    columns: Type.Optional(
      Type.Array(Type.String(), { description: 'That an update changed: a row of which one is not known is left' }),
    ),
  },
  { $id: 'PastChange' },
)

const UndoProblem = Type.Object(
  {
    ...named,
    key: TextValues,
    reason: Type.Union([
      Type.Literal('truncated'),
      Type.Literal('table gone'),
      Type.Literal('no key'),
      Type.Literal('read only'),
      Type.Literal('values not known'),
    ]),
  },
  { $id: 'UndoProblem' },
)

/** What would take changes back. */
export const UndoPreview = Type.Object(
  {
    changes: Type.Array(RowChange, { description: 'In the order in which they would be made' }),
    statements: Type.Array(Type.String(), { description: 'One a change' }),
    conflicts: Type.Array(RowConflict, { description: 'Rows that are no longer as the changes left them' }),
    refusal: Type.Union([Refusal, Type.Null()], {
      description: 'What PostgreSQL does not accept of the changes that meet no conflict',
    }),
    problems: Type.Array(UndoProblem, { description: 'Changes that cannot be taken back' }),
  },
  { $id: 'UndoPreview' },
)

/** Rows that name those to be deleted. */
export const Dependents = Type.Object({
  dependents: Type.Array(
    Type.Object({
      ...named,
      constraint: Type.String(),
      action: DeleteAction,
      via: Type.Array(Type.String(), { description: 'The tables between, whose rows go along' }),
      rows: Type.Integer({ description: 'Counted up to 10,001' }),
    }),
  ),
  isWhole: Type.Boolean({ description: 'False where there are longer chains of foreign keys than are followed' }),
})

const RelatedTable = {
  ...named,
  constraint: Type.String(),
  columns: Type.Array(Type.String(), { description: 'Of the foreign key' }),
  foreignColumns: Type.Array(Type.String(), { description: 'Of the table that it names' }),
}

/** Rows that a row is tied to by foreign keys. */
export const Related = Type.Object({
  referencing: Type.Array(
    Type.Object({ ...RelatedTable, rows: Type.Integer({ description: 'Counted up to 10,001' }) }),
    { description: 'Tables whose rows name it' },
  ),
  referenced: Type.Array(Type.Object(RelatedTable), { description: 'Tables whose rows it may name' }),
})

/** What an import came to; but for `imported`, nothing is kept. */
export const ImportOutcome = Type.Union(
  [
    Type.Object({ kind: Type.Literal('imported'), rows: Type.Integer() }),
    Type.Object({ kind: Type.Literal('accepted'), rows: Type.Integer() }),
    Type.Object({
      kind: Type.Literal('refused'),
      errors: Type.Array(
        Type.Object({
          line: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the file; null for what all violate' }),
          code: Type.String({ description: 'SQLSTATE' }),
          message: Type.String(),
          detail: OptionalText,
          column: OptionalText,
        }),
        { description: 'The first ones' },
      ),
    }),
  ],
  { $id: 'ImportOutcome' },
)

export type RowChange = Static<typeof RowChange>
export type SavedChange = Static<typeof SavedChange>
export type RowConflict = Static<typeof RowConflict>
export type Refusal = Static<typeof Refusal>
export type SaveOutcome = Static<typeof SaveOutcome>
export type PastChange = Static<typeof PastChange>
export type UndoProblem = Static<typeof UndoProblem>
export type UndoPreview = Static<typeof UndoPreview>
export type Dependents = Static<typeof Dependents>
export type Related = Static<typeof Related>
export type ImportOutcome = Static<typeof ImportOutcome>
