import type { Place } from './layout.ts'

const keyOf = (schema: string): string => `clew diagram ${schema}`

const isPlace = (value: unknown): value is Place =>
  typeof value === 'object' &&
  value !== null &&
  'x' in value &&
  'y' in value &&
  Number.isFinite(value.x) &&
  Number.isFinite(value.y)

/** Where tables of a schema were moved to in this browser. */
export function readPlaces(schema: string): ReadonlyMap<string, Place> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(schema)) ?? '{}')
    return new Map(Object.entries(stored ?? {}).filter((entry): entry is [string, Place] => isPlace(entry[1])))
  } catch {
    // Storage that is closed to the page, or holds what is no JSON, keeps nothing.
    return new Map()
  }
}

/** Keeps where tables were moved to; without any, forgets it. */
export function keepPlaces(schema: string, places: ReadonlyMap<string, Place>): void {
  try {
    if (places.size === 0) localStorage.removeItem(keyOf(schema))
    else localStorage.setItem(keyOf(schema), JSON.stringify(Object.fromEntries(places)))
  } catch {
    // As above.
  }
}
