import type { ServiceTables } from '../../ground/model/service-tables.ts'

export { functionsError, manageError } from './errors.ts'
export { createFunctions, type FunctionEnvironment, type Functions, type FunctionsDeps } from './functions.ts'
export { functionsService } from './service.ts'
export { deployedFilesOf } from './source/deployed-files.ts'
export { isFunctionName } from './source/names.ts'
export { findFunctions, functionsFolder, type ProjectFunction } from './source/project-folder.ts'
export { toolError } from './tools/errors.ts'
export { functionTools, type ToolsDeps } from './tools/routes.ts'
export { deniedHosts } from './worker/denied-hosts.ts'

/** Schema `clew_functions`. */
export const functionsTables = {
  name: 'functions',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables
