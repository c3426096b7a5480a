// The names that the reference server has for settings, for who reads them; reading it loads no service.
export { referenceNames, referenceVariables } from './config/names.ts'
