import AjvCompiler from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

/** One of each for the process: servers that have a schema in common compile it once. */
const buildValidators = AjvCompiler()
const buildSerializers = SerializerSelector()

type CompileValidator = ReturnType<typeof buildValidators>
type Validate = ReturnType<CompileValidator>
type CompileSerializer = ReturnType<typeof buildSerializers>
type Serialize = ReturnType<CompileSerializer>

/**
 * Compiles a route's schemas when its first request comes: Fastify's option `schemaController`. The hundreds of routes of
 * the console would otherwise take a second of each start, and keep code in memory that few processes run.
 */
export const schemaCompilers = {
  compilersFactory: {
    buildValidator(...given: Parameters<typeof buildValidators>): CompileValidator {
      const compile = buildValidators(...given)
      return (...route) => validateLater(() => compile(...route))
    },
    buildSerializer(...given: Parameters<typeof buildSerializers>): CompileSerializer {
      const compile = buildSerializers(...given)
      return (route) => serializeLater(() => compile(route))
    },
  },
}

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
