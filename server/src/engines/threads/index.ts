export type { TaskOutput } from './thread.ts'
export { createThreads, type Task, TaskEnded, TasksFull, type Threads, taskModule } from './threads.ts'
