// Draws a chart as PNG, by a WebAssembly library that reads its own module from its npm package.
import { PhotonImage } from 'npm:@silvia-odwyer/photon-node@0.3.4'

const [barWidth, height] = [20, 100]
const teal = [0, 128, 128, 255]

Deno.serve((request) => {
  const values = (new URL(request.url).searchParams.get('values') ?? '').split(',').map(Number)
  const width = values.length * barWidth
  const pixels = new Uint8Array(width * height * 4)
  values.forEach((value, n) => {
    for (let y = height - value; y < height; y += 1)
      for (let x = n * barWidth; x < (n + 1) * barWidth - 5; x += 1) pixels.set(teal, (y * width + x) * 4)
  })
  const image = new PhotonImage(pixels, width, height)
  const png = image.get_bytes()
  image.free()
  return new Response(png, { headers: { 'content-type': 'image/png' } })
})
