// `npm run build`: everything, from scratch.
import { prepare } from './prepare.js'

await prepare({ force: true })
