import type { QualifiedName, Routine } from '../cache/schema-cache.ts'
import type { Payload } from '../parse/body/body.ts'
import type { ParsedRequest } from '../parse/request.ts'
import { neededColumns } from './needs.ts'
import { returnsScalar, returnsScalars } from './routine.ts'
import type { CallArgument, CallArguments, CallPlan, ReadNode } from './types.ts'

function fromText(routine: Routine, pairs: readonly (readonly [string, string])[]): readonly CallArgument[] {
  return routine.parameters.flatMap(({ name, type, variadic }) => {
    const values = pairs.filter(([key]) => key === name).map(([, value]) => value)
    const last = values.at(-1)
    return last === undefined ? [] : [{ name, type, variadic, value: variadic ? values : last }]
  })
}

function fromPayload(routine: Routine, payload: Payload, columns: readonly string[]): CallArguments {
  const [only] = routine.parameters
  if (only !== undefined && routine.parameters.length === 1 && only.name === '') {
    const body = payload.kind === 'raw' ? payload.bytes : payload.kind === 'json' ? payload.text : ''
    return { kind: 'body', type: only.type, body }
  }
  if (payload.kind === 'form') return { kind: 'values', values: fromText(routine, payload.fields) }
  const parameters = routine.parameters.filter(({ name }) => columns.includes(name))
  if (payload.kind === 'raw' || parameters.length === 0) return { kind: 'values', values: [] }
  return { kind: 'json', payload, parameters }
}

/** Plans the call itself: which arguments it gets, and which columns its rows must bring along. */
export function planCall(routine: Routine, request: ParsedRequest, read: ReadNode): CallPlan {
  const isScalar = returnsScalar(routine) || returnsScalars(routine)
  return {
    routine,
    arguments:
      request.payload === null
        ? { kind: 'values', values: fromText(routine, request.query.args) }
        : fromPayload(routine, request.payload, request.columns),
    returning: isScalar ? [] : neededColumns(read, []),
  }
}

/** The relation whose columns and relationships a function's rows have. */
export const relationOfCall = (routine: Routine): QualifiedName => ({
  schema: routine.schema,
  name: routine.returns.composite ? routine.returns.name : routine.name,
})
