/** One of a few, all in sight: radio buttons in the form of a bar. */
interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly title: string }[];
  readonly onChange: (value: Value) => void;
}

export const Segments = <Value extends string>(props: SegmentsProps<Value>) => (
  <div class="segments" role="radiogroup" aria-label={props.label}>
    {props.options.map(({ value, title }) => (
      <label key={value} class={value === props.value ? "segment on" : "segment"}>
        <input
          type="radio"
          class="unseen"
          name={props.label}
          checked={value === props.value}
          onChange={() => props.onChange(value)}
        />
        {title}
      </label>
    ))}
  </div>
);
