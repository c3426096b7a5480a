export { giveWay } from './give-way.ts'
export { addNiceness, addNicenessOf } from './priority.ts'
export type { TaskOutput } from './thread.ts'
export { createThreads, movable, type Task, TaskEnded, TasksFull, type Threads, taskModule } from './threads.ts'
