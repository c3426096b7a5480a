import { isIPv4, isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type CityResponse, Reader } from 'mmdb-lib'

/** Where an address is, as properties of events and persons (analytics §3); only what the database knows. */
export type Place = Readonly<Record<string, string | number>>

/** The place of an address in text form; null for what is no address, or not known. */
export type FindPlace = (address: string) => Place | null

/** How the properties of a place are called behind `$geoip_` and `$initial_geoip_`. */
const names = [
  ...['city_name', 'country_name', 'country_code', 'continent_name', 'continent_code', 'postal_code'],
  ...['latitude', 'longitude', 'accuracy_radius', 'time_zone'],
  ...['subdivision_1_code', 'subdivision_1_name', 'subdivision_2_code', 'subdivision_2_name'],
]

/** Narrower than a city: not kept of a visitor without cookies. */
const narrow = new Set(['$geoip_postal_code', '$geoip_latitude', '$geoip_longitude', '$geoip_accuracy_radius'])

export const noPlaces: FindPlace = () => null

/** Records stand close to the end of the file behind this mark; a file without it is not searched whole. */
const mark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const longestMetadata = 128 * 1024
const recordsKept = 2_000

/**
 * Reads places from a database in MaxMind's format (MaxMind DB 2.0) with cities or countries.
 *
 * @param bytes the whole file; shared memory, so that any thread reads it without a copy
 * @throws Error for bytes that are no such database
 */
export function readPlaces(bytes: SharedArrayBuffer): FindPlace {
  const file = Buffer.from(bytes)
  if (!file.subarray(-longestMetadata).includes(mark)) throw new Error('it is not a database in the format MMDB')
  // What the decoder keeps is an object of its own; no address is in it.
  const cache = new LRUCache<string | number, object>({ max: recordsKept })
  const reader = new Reader<CityResponse>(file, {
    // The decoder asks for what it has set itself.
    cache: { get: (key) => cache.get(key), set: (key, value) => cache.set(key, value as object) },
  })
  const isIPv4Only = reader.metadata.ipVersion === 4
  const places = new WeakMap<object, Place | null>()
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    if (!isIPv4(plain) && (isIPv4Only || !isIPv6(plain) || plain.includes('%'))) return null
    const record = find(reader, plain)
    if (record === null) return null
    const known = places.get(record)
    if (known !== undefined) return known
    const place = placeOf(record)
    places.set(record, place)
    return place
  }
}

/** A damaged record costs its place, and not the event. */
function find(reader: Reader<CityResponse>, address: string): CityResponse | null {
  try {
    const record: unknown = reader.get(address)
    return typeof record === 'object' ? (record as CityResponse | null) : null
  } catch {
    return null
  }
}

function placeOf({ city, country, continent, postal, location, subdivisions }: CityResponse): Place | null {
  const [first, second] = subdivisions ?? []
  const values = [
    ...[city?.names?.en, country?.names?.en, country?.iso_code, continent?.names?.en, continent?.code, postal?.code],
    ...[location?.latitude, location?.longitude, location?.accuracy_radius, location?.time_zone],
    ...[first?.iso_code, first?.names?.en, second?.iso_code, second?.names?.en],
  ]
  const known = names.flatMap((name, index) => {
    const value = values[index]
    return typeof value === 'string' || typeof value === 'number' ? [[`$geoip_${name}`, value] as const] : []
  })
  return known.length === 0 ? null : Object.fromEntries(known)
}

/** A place without what is narrower than a city. */
export const widePlace = (place: Place): Place =>
  Object.fromEntries(Object.entries(place).filter(([name]) => !narrow.has(name)))

/** What makes a place another one for a person: an address moves within a city from day to day. */
export const placeKey = (place: Readonly<Record<string, unknown>>): string =>
  [place.$geoip_country_code, place.$geoip_subdivision_1_code, place.$geoip_city_name].join('/')

/** What a place sets of a person: where they are now, without what is left of an earlier place, and where they were first. */
export function personPlace(place: Place): {
  readonly set: Place
  readonly setOnce: Place
  readonly unset: readonly string[]
} {
  return {
    set: place,
    setOnce: Object.fromEntries(
      Object.entries(place).map(([name, value]) => [name.replace('$geoip_', '$initial_geoip_'), value]),
    ),
    unset: names.map((name) => `$geoip_${name}`).filter((name) => place[name] === undefined),
  }
}
