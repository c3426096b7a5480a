import { isObject, type JsonObject } from '../json/object.ts'
import { maskedText } from './masks.ts'

/** Properties that hold properties of persons and groups. */
export const nestedProperties = ['$set', '$set_once', '$group_set'] as const

/** Properties whose masked values are replaced, those of persons and groups in an event included; themselves where there are none. */
export function maskProperties(properties: JsonObject, names: ReadonlySet<string>): JsonObject {
  const withNested = nestedProperties.reduce((all, name) => {
    const value = all[name]
    return isObject(value) ? replaced(all, name, maskNamed(value, names)) : all
  }, properties)
  return maskNamed(withNested, names)
}

const maskNamed = (properties: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.keys(properties).reduce((all, name) => (names.has(name) ? replaced(all, name, maskedText) : all), properties)

const replaced = (properties: JsonObject, name: string, value: unknown): JsonObject =>
  properties[name] === value ? properties : { ...properties, [name]: value }

/** Whether the text of a JSON object may hold one of these names: an escape may hide any of them. */
export function createMayName(names: readonly string[]): (json: string) => boolean {
  const quoted = names.map((name) => JSON.stringify(name))
  return (json) => quoted.some((name) => json.includes(name)) || /\\[u/]/.test(json)
}
