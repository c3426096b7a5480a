export { type Drain, type DrainOptions, openDrain } from './drain.ts'
export { postLines } from './post.ts'
