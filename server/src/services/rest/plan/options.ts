import type { Relation, Routine } from '../cache/schema-cache.ts'

/** What `Allow` tells of a relation (rest §16). Privileges are not looked at. */
export function allowedOnRelation({ insertable, updatable, deletable, key }: Relation): string {
  return [
    'OPTIONS,GET,HEAD',
    ...(insertable ? ['POST'] : []),
    ...(insertable && updatable && key.length > 0 ? ['PUT'] : []),
    ...(updatable ? ['PATCH'] : []),
    ...(deletable ? ['DELETE'] : []),
  ].join(',')
}

/** What `Allow` tells of a function: one that may write is only called by POST. */
export const allowedOnFunction = ({ volatility }: Routine): string =>
  volatility === 'v' ? 'OPTIONS,POST' : 'OPTIONS,GET,HEAD,POST'

export const allowedOnRoot = 'OPTIONS,GET,HEAD'
