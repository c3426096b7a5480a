import AjvCompiler from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

/** One of each for the process: servers that have a schema in common compile it once. */
const buildValidators = AjvCompiler()
const buildSerializers = SerializerSelector()

type CompileValidator = ReturnType<typeof buildValidators>
type ValidatorOptions = NonNullable<Parameters<typeof buildValidators>[1]>
type Validate = ReturnType<CompileValidator>
type CompileSerializer = ReturnType<typeof buildSerializers>
type Serialize = ReturnType<CompileSerializer>

/**
 * Compiles a route's schemas when its first request comes: Fastify's option `schemaController`. The hundreds of routes of
 * the console would otherwise take a second of each start, and keep code in memory that few processes run.
 */
export const schemaCompilers = {
  compilersFactory: {
    buildValidator(...[schemas, options]: Parameters<typeof buildValidators>): CompileValidator {
      const compile = buildValidators(schemas, { ...options, onCreate: refuseUnreadableInstants })
      return (...route) => validateLater(() => compile(...route))
    },
    buildSerializer(...given: Parameters<typeof buildSerializers>): CompileSerializer {
      const compile = buildSerializers(...given)
      return (route) => serializeLater(() => compile(route))
    },
  },
}

/**
 * RFC 3339 has instants that a `Date` does not: leap seconds, and offsets of an hour alone, which the format's own
 * check lets pass.
 */
function refuseUnreadableInstants(ajv: Parameters<NonNullable<ValidatorOptions['onCreate']>>[0]): void {
  const isReadable = (text: string): boolean =>
    rfc3339.test(text) && !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10))
  ajv.addFormat('date-time', { type: 'string', validate: isReadable })
}

const rfc3339 = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i

/** `Date` takes the 30th of February for the 2nd of March. */
const isDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)

function validateLater(compile: () => Validate): Validate {
  let compiled: Validate | undefined
  const validate = ((data: unknown) => {
    compiled ??= compile()
    const valid = compiled(data)
    // Fastify reads the errors of a call off the function.
    validate.errors = compiled.errors ?? null
    return valid
  }) as Validate
  return validate
}

function serializeLater(compile: () => Serialize): Serialize {
  let compiled: Serialize | undefined
  return (data) => {
    compiled ??= compile()
    return compiled(data)
  }
}
