import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'

export const FunctionVersion = Type.Object(
  {
    number: Type.Integer({ description: 'Counts the versions of a function from 1' }),
    madeAt: Instant,
    madeBy: Nullable(Type.String(), { description: 'The operator’s e-mail address; null for the project folder' }),
    entry: Type.String({ description: 'The entry file’s path in the project' }),
    verifyJwt: Type.Boolean(),
    hash: Type.String({ description: 'Names what the files say' }),
    sizeBytes: Type.Integer(),
    isActive: Type.Boolean({ description: 'Whether it answers calls' }),
  },
  { $id: 'FunctionVersion' },
)

export const FunctionInfo = Type.Object(
  {
    name: Type.String(),
    entry: Type.String({ description: 'The entry file’s path in the project' }),
    verifyJwt: Type.Boolean({ description: 'Whether its callers need a token' }),
    isInFolder: Type.Boolean({ description: 'Whether the project folder of the instance has it' }),
    isPinned: Type.Boolean({
      description: 'Whether another version answers than what the folder holds, until the folder’s next change',
    }),
    version: Nullable(FunctionVersion, { description: 'The version that answers; null before the first call' }),
  },
  { $id: 'Function' },
)

export const FunctionList = Type.Object({ functions: Type.Array(FunctionInfo) })
export const FunctionVersions = Type.Object({ versions: Type.Array(FunctionVersion) })
export const FunctionFiles = Type.Object({
  files: Type.Array(Type.Object({ path: Type.String(), sizeBytes: Type.Integer() })),
})

export const FunctionProcesses = Type.Object({
  processes: Type.Array(
    Type.Object(
      {
        id: Type.String({ description: 'Its execution id, as log lines and the header x-deno-execution-id name it' }),
        startedAt: Instant,
        calls: Type.Integer({ description: 'Open calls' }),
        memoryBytes: Type.Integer(),
        cpuMs: Type.Number({ description: 'CPU time since its start' }),
        isRetired: Type.Boolean({ description: 'Whether it takes no further call' }),
      },
      { $id: 'FunctionProcess' },
    ),
  ),
  memoryLimitBytes: Type.Integer(),
})

export const FunctionSecrets = Type.Object({
  secrets: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        digest: Type.String({ description: 'A keyed hash of the value, by which two values can be told apart' }),
        updatedAt: Instant,
      },
      { $id: 'FunctionSecret', description: 'Without its value' },
    ),
  ),
})

export type FunctionVersion = Static<typeof FunctionVersion>
export type FunctionInfo = Static<typeof FunctionInfo>
