// Draws the café's product photographs, seen from above: `npx tsx e2e/sample/photographs.ts`, by hand.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { cafeFolder } from '../support/product.ts'
import { dishes } from './dishes.ts'
import { scene } from './drawing.ts'

const folder = join(cafeFolder, 'supabase', 'photos')
const sidePx = 480

await mkdir(folder, { recursive: true })
for (const [name, { table, draw }] of Object.entries(dishes)) {
  const svg = Buffer.from(scene(table, draw))
  const file = join(folder, `${name}.jpg`)
  const { size } = await sharp(svg).resize(sidePx).jpeg({ quality: 72, mozjpeg: true }).toFile(file)
  process.stderr.write(`${file}: ${(size / 1024).toFixed(1)} KiB\n`)
}
