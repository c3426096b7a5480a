import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import { TablePrivilege } from '../catalogue/grants.ts'
import { DeleteAction, PolicyCommand } from '../catalogue/table.ts'

/** PostgreSQL cuts longer names off. */
const Name = Type.String({ minLength: 1, maxLength: 63 })
const names = Type.Array(Name, { minItems: 1, maxItems: 32 })
/** A type or a signature, as SQL. */
const TypeText = Type.String({ minLength: 1, maxLength: 1_000 })
/** An expression, as SQL. */
const Expression = Type.String({ minLength: 1, maxLength: 10_000 })
const Comment = Nullable(Type.String({ minLength: 1, maxLength: 4_000 }))
const Identity = Nullable(Type.Enum(['always', 'by default']))

const Reference = Type.Object({ schema: Name, table: Name, columns: names, onDelete: DeleteAction })

const ColumnShape = Type.Object({
  name: Name,
  type: TypeText,
  nullable: Type.Boolean(),
  default: Nullable(Expression, { description: 'An expression' }),
  identity: Identity,
  primaryKey: Type.Boolean(),
  unique: Type.Boolean(),
  comment: Comment,
  references: Nullable(Reference),
})
export type NewColumn = Static<typeof ColumnShape>

const change = <Kind extends string, Shape extends TProperties>(
  kind: Kind,
  shape: Shape,
): TObject<{ kind: ReturnType<typeof Type.Literal<Kind>> } & Shape> =>
  Type.Object({ kind: Type.Literal(kind), ...shape })

const inSchema = { schema: Name }
const onTable = { schema: Name, table: Name }
const policy = {
  permissive: Type.Boolean(),
  command: PolicyCommand,
  roles: Type.Array(Name, { minItems: 1, maxItems: 50 }),
  using: Nullable(Expression),
  check: Nullable(Expression),
}
const cascade = { cascade: Type.Boolean({ description: 'Whether what depends on it goes along' }) }

/** One change of a schema. Those that are asked for together are made together, or not at all. */
export const SchemaChange = Type.Union(
  [
    change('create table', {
      ...onTable,
      columns: Type.Array(ColumnShape, { maxItems: 500 }),
      comment: Comment,
      rowSecurity: Type.Boolean(),
    }),
    change('rename table', { ...onTable, to: Name }),
    change('comment table', { ...onTable, comment: Comment }),
    change('drop table', { ...onTable, ...cascade }),
    change('row security', { ...onTable, enabled: Type.Boolean() }),
    change('add column', { ...onTable, column: ColumnShape }),
    change('change column', {
      ...onTable,
      column: Name,
      numbered: Type.Optional(Type.Boolean({ description: 'Whether it has an identity already' })),
      to: Type.Object(
        {
          name: Type.Optional(Name),
          type: Type.Optional(TypeText),
          using: Type.Optional(Expression),
          nullable: Type.Optional(Type.Boolean()),
          default: Type.Optional(Nullable(Expression)),
          identity: Type.Optional(Identity),
          comment: Type.Optional(Comment),
        },
        { description: 'What is absent stays as it is' },
      ),
    }),
    change('drop column', { ...onTable, column: Name, ...cascade }),
    change('add foreign key', { ...onTable, columns: names, references: Reference }),
    change('add unique', { ...onTable, columns: names }),
    change('add primary key', { ...onTable, columns: names }),
    change('add check', { ...onTable, name: Nullable(Name), expression: Expression }),
    change('drop constraint', { ...onTable, name: Name, ...cascade }),
    change('create policy', { ...onTable, name: Name, ...policy }),
    change('change policy', {
      ...onTable,
      name: Name,
      to: Type.Object({
        name: Name,
        roles: policy.roles,
        using: policy.using,
        check: policy.check,
      }),
    }),
    change('drop policy', { ...onTable, name: Name }),
    change('create index', {
      ...onTable,
      name: Nullable(Name, { description: 'Null: PostgreSQL chooses one' }),
      method: Type.Enum(['btree', 'hash', 'gin', 'gist', 'brin', 'spgist', 'hnsw', 'ivfflat']),
      unique: Type.Boolean(),
      parts: Type.Array(Expression, { minItems: 1, maxItems: 32, description: 'Columns or expressions, as SQL' }),
      where: Nullable(Expression),
      concurrently: Type.Boolean({
        description: 'Without keeping writes waiting, and outside of a transaction: alone',
      }),
    }),
    change('rebuild index', {
      ...onTable,
      name: Name,
      definition: Type.String({ minLength: 1, maxLength: 40_000, description: 'As PostgreSQL prints it' }),
    }),
    change('drop index', { ...inSchema, name: Name }),
    change('grant table', {
      ...onTable,
      role: Name,
      privileges: Type.Array(TablePrivilege, { minItems: 1, maxItems: 8 }),
      granted: Type.Boolean({ description: 'Whether they are given, or taken away' }),
    }),
    change('create view', {
      ...inSchema,
      name: Name,
      query: Type.String({ minLength: 1, maxLength: 200_000 }),
      securityInvoker: Type.Boolean({
        description: 'Whether row security is asked for the caller, and not for the owner',
      }),
      replace: Type.Boolean({
        description: 'Whether one of the name may be there: its columns can be added to, no more',
      }),
    }),
    change('create materialized view', {
      ...inSchema,
      name: Name,
      query: Type.String({ minLength: 1, maxLength: 200_000 }),
    }),
    change('drop view', { ...onTable, materialized: Type.Boolean(), ...cascade }),
    change('create trigger', {
      ...onTable,
      name: Name,
      timing: Type.Enum(['before', 'after', 'instead of']),
      events: Type.Array(Type.Enum(['insert', 'update', 'delete', 'truncate']), { minItems: 1, maxItems: 4 }),
      forEach: Type.Enum(['row', 'statement']),
      when: Nullable(Expression),
      function: Type.Object({ schema: Name, name: Name }),
    }),
    change('enable trigger', { ...onTable, name: Name, enabled: Type.Boolean() }),
    change('drop trigger', { ...onTable, name: Name }),
    change('create function', {
      ...inSchema,
      name: Name,
      arguments: Type.String({ maxLength: 4_000, description: 'As SQL; empty for none' }),
      returns: TypeText,
      language: Type.Enum(['sql', 'plpgsql']),
      volatility: Type.Enum(['immutable', 'stable', 'volatile']),
      securityDefiner: Type.Boolean(),
      body: Type.String({ minLength: 1, maxLength: 200_000 }),
    }),
    change('define function', {
      definition: Type.String({
        ...{ minLength: 1, maxLength: 200_000 },
        description: '`create or replace function …`, as PostgreSQL prints one',
      }),
    }),
    change('drop function', {
      ...inSchema,
      name: Name,
      arguments: Type.String({ maxLength: 4_000 }),
      procedure: Type.Boolean(),
      ...cascade,
    }),
    change('create enum', { ...inSchema, name: Name, labels: Type.Array(Name, { minItems: 1, maxItems: 500 }) }),
    change('add label', { ...inSchema, name: Name, label: Name, before: Nullable(Name) }),
    change('rename label', { ...inSchema, name: Name, label: Name, to: Name }),
    change('drop enum', { ...inSchema, name: Name, ...cascade }),
    change('create domain', {
      ...inSchema,
      name: Name,
      type: TypeText,
      default: Nullable(Expression),
      nullable: Type.Boolean(),
      check: Nullable(Expression, { description: 'About VALUE' }),
    }),
    change('drop domain', { ...inSchema, name: Name, ...cascade }),
    change('create extension', { name: Name, schema: Nullable(Name) }),
    change('drop extension', { name: Name, ...cascade }),
    change('create schema', { name: Name }),
    change('create role', {
      name: Name,
      memberOf: Type.Array(Name, { maxItems: 50 }),
      bypassesRowSecurity: Type.Boolean(),
    }),
    change('drop role', { name: Name }),
    change('publish table', { publication: Name, ...onTable, published: Type.Boolean() }),
  ],
  { $id: 'SchemaChange' },
)
export type SchemaChange = Static<typeof SchemaChange>
/** The change of a kind. */
export type ChangeOf<Kind extends SchemaChange['kind']> = Extract<SchemaChange, { readonly kind: Kind }>
