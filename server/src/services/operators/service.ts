import { accessPlugin } from './http/access-plugin.ts'
import type { Operators } from './operators.ts'

/** The console's page on the operator's own sessions and factors. */
export const operatorsService = (operators: Operators) => ({ console: [accessPlugin(operators)] })
