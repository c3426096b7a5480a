export { type ChangeWorker, createChangeWorker } from './change-worker.ts'
export type { ChangeTask } from './messages.ts'
export { changeService } from './service.ts'
export { shareChanges } from './shared-changes.ts'
