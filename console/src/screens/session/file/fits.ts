/** A JSON schema of the console's API, or a part of one. */
export type Shape = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether a value has a shape of the console's API: what a file holds is shown by views that expect it.
 *
 * @param named the shapes that others refer to, by the end of their `$ref`
 */
export function fits(value: unknown, shape: Shape, named: Readonly<Record<string, Shape>>): boolean {
  if (typeof shape.$ref === 'string') {
    const found = named[shape.$ref.split('/').at(-1) ?? '']
    return found !== undefined && fits(value, found, named)
  }
  if (Array.isArray(shape.anyOf)) return shape.anyOf.some((each: Shape) => fits(value, each, named))
  if ('const' in shape) return value === shape.const
  switch (shape.type) {
    case 'null':
      return value === null
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case 'string':
    case 'boolean':
      return typeof value === shape.type
    case 'array': {
      const items = isObject(shape.items) ? shape.items : {}
      return Array.isArray(value) && value.every((each) => fits(each, items, named))
    }
    case 'object':
      return isObject(value) && hasMembers(value, shape, named)
    default:
      return true
  }
}

function hasMembers(value: Shape, shape: Shape, named: Readonly<Record<string, Shape>>): boolean {
  const required = Array.isArray(shape.required) ? shape.required : []
  const properties = isObject(shape.properties) ? shape.properties : {}
  const [others] = isObject(shape.patternProperties) ? Object.values(shape.patternProperties) : []
  return (
    required.every((name: string) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, member]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : others
      return !isObject(known) || fits(member, known, named)
    })
  )
}
