import { cookieScopeOf, createOperators, type Operators, type OperatorsDeps } from '../services/operators/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Addresses } from './addresses.ts'
import { projectName } from './facts.ts'

/** The accounts of the console, at its address. */
export const openOperators = (
  { operators, instance }: Settings,
  { consoleUrl, apiUrl }: Addresses,
  deps: Omit<OperatorsDeps, 'settings' | 'project' | 'cookieScope' | 'consoleUrl'>,
): Promise<Operators> =>
  createOperators({
    ...deps,
    settings: operators,
    project: projectName(instance),
    cookieScope: cookieScopeOf(consoleUrl, apiUrl),
    consoleUrl,
  })
