// `npm run build`: everything, from scratch.
import { prepare } from './prepare.js'

await prepare({ ssr: true, force: true })
