/** A field in which one of several words is chosen. */
interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  /** Values, each with its title. */
  readonly options: Readonly<Record<string, string>>;
  readonly autofocus?: boolean;
  readonly onChange: (value: string) => void;
}

export const SelectField = ({ label, value, options, autofocus, onChange }: SelectFieldProps) => (
  <label class="field grow">
    <span>{label}</span>
    <select
      class="input"
      autofocus={autofocus === true}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {Object.entries(options).map(([option, title]) => (
        <option key={option} value={option}>
          {title}
        </option>
      ))}
    </select>
  </label>
);
