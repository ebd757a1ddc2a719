/** Small SVG charts for the guide: bars side by side, and lines over orders of magnitude. No dependencies, no scripts. */

const palette = ["#8a94a6", "#3b82c4", "#1f5f99", "#d97706", "#4b8f5a", "#a34d7a"];
const font = `font-family="system-ui, sans-serif" font-size="12" fill="#444"`;

export interface Bars {
  readonly title: string;
  /** Names of the bars in each group. */
  readonly series: readonly string[];
  readonly groups: readonly {
    readonly name: string;
    /** 0 to 1, in order of the series. */
    readonly values: readonly number[];
    readonly target: number | null;
  }[];
}

const rowHeight = 16;
const groupGap = 14;
const labelWidth = 210;
const barWidth = 420;

/** Horizontal bars from 0 to 1; a dark line marks each group's target. */
export function barChart({ title, series, groups }: Bars): string {
  const groupHeight = series.length * rowHeight + groupGap;
  const height = 60 + groups.length * groupHeight;
  const body = groups.map(({ name, values, target }, index) => {
    const top = 52 + index * groupHeight;
    const bars = values.map((value, i) => {
      const y = top + i * rowHeight;
      const width = Math.max(0, value) * barWidth;
      return `${bar({ x: labelWidth, y, width, height: rowHeight - 3 }, colour(i))}${svgText(
        labelWidth + width + 5,
        y + 11,
        value.toFixed(3),
      )}`;
    });
    const middle = top + (series.length * rowHeight) / 2 + 3;
    const x = labelWidth + (target ?? 0) * barWidth;
    const mark =
      target === null
        ? ""
        : line([x, top - 3, x, top + series.length * rowHeight], "#222", `stroke-width="1.5"`);
    return `${svgText(labelWidth - 8, middle, name, "end")}${bars.join("")}${mark}`;
  });
  return wholeSvg(labelWidth + barWidth + 60, height, [
    svgText(10, 18, title),
    legend(series),
    ...body,
  ]);
}

export interface Lines {
  readonly title: string;
  readonly unit: string;
  readonly xs: readonly number[];
  /** One value per x; null where nothing was measured. */
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
}

const plot = { left: 60, top: 56, width: 480, height: 260 };

/** Lines over logarithmic axes. */
export function lineChart({ title, unit, xs, series }: Lines): string {
  const values = series.flatMap((one) => one.values).filter((value) => value !== null && value > 0);
  const low = Math.floor(Math.log10(Math.min(...(values as number[]))));
  const high = Math.ceil(Math.log10(Math.max(...(values as number[]))));
  const [firstX = 1, lastX = 10] = [xs[0], xs.at(-1)];
  const xOf = (x: number): number =>
    plot.left + (plot.width * Math.log(x / firstX)) / Math.max(1e-9, Math.log(lastX / firstX));
  const yOf = (y: number): number =>
    plot.top + plot.height * (1 - (Math.log10(y) - low) / Math.max(1, high - low));
  const rules = Array.from({ length: high - low + 1 }, (_, i) => {
    const y = yOf(10 ** (low + i));
    return `${line([plot.left, y, plot.left + plot.width, y], "#ddd")}${svgText(
      plot.left - 6,
      y + 4,
      `${10 ** (low + i)}`,
      "end",
    )}`;
  });
  const ticks = xs.map((x) => svgText(xOf(x), plot.top + plot.height + 18, short(x), "middle"));
  const lines = series.map(({ values: own }, i) => {
    const points = own.flatMap((value, at) =>
      value === null ? [] : [`${round(xOf(xs[at] ?? 1))},${round(yOf(value))}`],
    );
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour(i)}" stroke-width="2"/>`;
  });
  return wholeSvg(plot.left + plot.width + 40, plot.top + plot.height + 34, [
    svgText(10, 18, `${title} (${unit})`),
    legend(series.map(({ name }) => name)),
    ...rules,
    ...ticks,
    ...lines,
  ]);
}

const legend = (names: readonly string[]): string => {
  let x = 10;
  return names
    .map((name, i) => {
      const at = x;
      x += 24 + name.length * 7;
      return `${bar({ x: at, y: 28, width: 10, height: 10 }, colour(i))}${svgText(at + 14, 37, name)}`;
    })
    .join("");
};

const short = (x: number): string =>
  x >= 1e6 ? `${x / 1e6}M` : x >= 1e3 ? `${x / 1e3}k` : String(x);

const colour = (i: number): string => palette[i % palette.length] ?? "#888";
const round = (value: number): number => Math.round(value * 10) / 10;
const escaped = (words: string): string => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export const svgText = (x: number, y: number, words: string, anchor = "start"): string =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" ${font}>${escaped(words)}</text>`;

export const bar = (
  at: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  fill: string,
): string =>
  `<rect x="${round(at.x)}" y="${round(at.y)}" width="${round(at.width)}" height="${round(at.height)}" fill="${fill}"/>`;

const line = (
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  stroke: string,
  extra = "",
): string =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}" ${extra}/>`;

export const wholeSvg = (width: number, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}">
<rect width="100%" height="100%" fill="#fff"/>
${parts.join("\n")}
</svg>
`;
