import { type Product, photoUrl } from './clients'

/** A product's photograph; its colour where it has none. */
export function Photo({ product }: { product: Product }) {
  if (!product.photo) return <i className="photo" style={{ '--hue': product.hue } as React.CSSProperties} />
  const url = (width: number) => photoUrl(product.photo!, width)
  return <img className="photo" src={url(72)} srcSet={`${url(144)} 2x`} width={72} height={72} alt="" loading="lazy" />
}
