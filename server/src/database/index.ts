export { type ClearOptions, clearDatabase } from './reset.ts'
