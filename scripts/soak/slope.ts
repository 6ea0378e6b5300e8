/** How much `y` grows for each unit of `x`: the line through the points that is closest to them (least squares). */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  const together = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return spread === 0 ? 0 : together / spread;
}
