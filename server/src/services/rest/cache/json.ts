import type { Column, QualifiedName, Relation, Relationship, Routine, SchemaCache } from './schema-cache.ts'

const identifierJson = ({ schema, name }: QualifiedName) => ({ qiName: name, qiSchema: schema })

const columnJson = ({ name, comment, nullable, baseType, type, maxLength, default: written, labels }: Column) => ({
  colDefault: written,
  colDescription: comment,
  colEnum: labels ?? [],
  colMaxLen: maxLength,
  colName: name,
  colNominalType: type,
  colNullable: nullable,
  colType: baseType,
})

const tableJson = (relation: Relation) => ({
  tableColumns: Object.fromEntries([...relation.columns].map(([name, column]) => [name, columnJson(column)])),
  tableDeletable: relation.deletable,
  tableDescription: relation.comment,
  tableInsertable: relation.insertable,
  tableIsView: relation.kind === 'view' || relation.kind === 'materialized_view',
  tableName: relation.name,
  tablePKCols: relation.key,
  tableSchema: relation.schema,
  tableUpdatable: relation.updatable,
})

const routineJson = ({ schema, name, comment, parameters, returns, volatility, settings }: Routine) => ({
  pdDescription: comment,
  pdFuncSettings: settings,
  pdName: name,
  pdParams: parameters.map((one) => ({
    ppName: one.name,
    ppReq: one.required,
    ppType: one.type,
    ppVar: one.variadic,
  })),
  pdReturnType: { ...identifierJson(returns), isSet: returns.set, isComposite: returns.composite },
  pdSchema: schema,
  pdVolatility: { i: 'Immutable', s: 'Stable', v: 'Volatile' }[volatility],
})

const relationshipJson = (one: Relationship) => ({
  relTable: identifierJson(one.relation),
  relForeignTable: identifierJson(one.foreign),
  relIsSelf: one.isSelf,
  relKind: one.kind,
  ...(one.kind === 'computed' ? { relFunction: identifierJson(one.function) } : { relColumns: one.columns }),
})

/** The schema cache for debugging a running server; empty when there is none. Its shape is not promised. */
export function schemaCacheJson(cache: SchemaCache | null): string {
  if (cache === null) return ''
  return JSON.stringify({
    dbMediaHandlers: cache.handlers,
    dbRelationships: [...cache.relationships.values()].flat().map(relationshipJson),
    dbRepresentations: [...cache.representations],
    dbRoutines: [...cache.functions.values()].flat().map((one) => [identifierJson(one), routineJson(one)]),
    dbTables: [...cache.relations.values()].map((one) => [identifierJson(one), tableJson(one)]),
  })
}
