/** How wide a picture is: those that hold text are drawn in pixels, since scaling would make the letters small. */
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Put the reference on the element; the width in pixels is 0 until it is drawn. */
export function useWidth<Picture extends Element>(): readonly [RefObject<Picture | null>, number] {
  const element = useRef<Picture>(null);
  const width = useSignal(0);
  useLayoutEffect(() => {
    const picture = element.current;
    if (picture === null) return undefined;
    const measure = (): void => {
      width.value = picture.clientWidth;
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(picture);
    return () => watch.disconnect();
  }, []);
  return [element, width.value];
}
