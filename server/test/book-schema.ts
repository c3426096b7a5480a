import { buildSchemaCache } from '../src/services/rest/cache/build.ts'
import type { CatalogueColumn, CatalogueEnd, CatalogueRelation } from '../src/services/rest/cache/catalogue.ts'
import type { SchemaCache } from '../src/services/rest/cache/schema-cache.ts'

const column = (name: string, type: string, position: number): CatalogueColumn => ({
  name,
  literal: `'${name}'`,
  position,
  type,
  recordType: type,
  baseType: type,
  default: null,
  nullable: true,
  generated: false,
  maxLength: null,
  labels: null,
  comment: null,
})

const table = (oid: number, name: string, columns: readonly CatalogueColumn[]): CatalogueRelation => ({
  oid,
  schema: 'public',
  name,
  kind: 'table',
  insertable: true,
  updatable: true,
  deletable: true,
  estimatedRows: 0,
  history: false,
  comment: null,
  columns,
})

const end = (oid: number, name: string, ...columns: readonly (readonly [number, string])[]): CatalogueEnd => ({
  oid,
  schema: 'public',
  name,
  columns: columns.map(([number, columnName]) => ({ number, name: columnName })),
})

/** Two tables, `books` by `authors`, for tests that need a schema and no database. */
export const bookSchema = (): SchemaCache =>
  buildSchemaCache(
    {
      relations: [
        table(1, 'books', [column('id', 'integer', 1), column('author_id', 'integer', 2), column('info', 'jsonb', 3)]),
        table(2, 'authors', [column('id', 'integer', 1), column('name', 'text', 2)]),
      ],
      keys: [
        { kind: 'primary', name: 'books_pkey', relation: end(1, 'books', [1, 'id']), foreign: null, unique: false },
        {
          kind: 'foreign',
          name: 'books_author_id_fkey',
          relation: end(1, 'books', [2, 'author_id']),
          foreign: end(2, 'authors', [1, 'id']),
          unique: false,
        },
      ],
      views: [],
      functions: [],
      computed: [],
      representations: [],
      handlers: [],
      roleSettings: [],
    },
    ['public'],
    new Date(0),
  )
