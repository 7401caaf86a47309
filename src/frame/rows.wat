;; PNG rule 5 for a block of rows: undoes their filters. Assembled by tools/generate.ts into rows-wasm.ts.
;; Why not JavaScript: its loops run interpreted for the first frames of a process, and most verdicts are over
;; by then; this code is as fast in its first row as in its last.
;;
;; Memory, from `out` on: `rows` unfiltered rows, 16 bytes to spare; just before `out` the row above them, zeros
;; at the top of a frame. From `src` on: `rows` filtered rows, each after its filter byte, 16 bytes to spare.
;; A pixel has at most eight bytes: each is done in the low half of a vector, whatever lies beside it there, and
;; what is stored beyond it is overwritten by the next one.
(module
  (memory (export "memory") 1)

  ;; The number of rows that were undone: fewer than `rows` where the next one's filter is none that PNG knows.
  ;; Afterwards the last of them lies before `out` as well, for the next block.
  (func (export "unfilter")
    (param $src i32) (param $out i32) (param $rows i32) (param $rowBytes i32) (param $pixelBytes i32)
    (result i32)
    (local $row i32) (local $filter i32) (local $to i32)
    (local.set $to (local.get $out))
    (block $bad
      (loop $next
        (br_if $bad (i32.ge_u (local.get $row) (local.get $rows)))
        (local.set $filter (i32.load8_u (local.get $src)))
        (local.set $src (i32.add (local.get $src) (i32.const 1)))
        (block $done
          (block $paeth
            (block $average
              (block $up
                (block $sub
                  (block $none
                    (br_table $none $sub $up $average $paeth $bad (local.get $filter)))
                  (memory.copy (local.get $to) (local.get $src) (local.get $rowBytes))
                  (br $done))
                (call $sub (local.get $src) (local.get $to) (local.get $rowBytes) (local.get $pixelBytes))
                (br $done))
              (call $up (local.get $src) (local.get $to) (local.get $rowBytes))
              (br $done))
            (call $average (local.get $src) (local.get $to) (local.get $rowBytes) (local.get $pixelBytes))
            (br $done))
          (call $paeth (local.get $src) (local.get $to) (local.get $rowBytes) (local.get $pixelBytes)))
        (local.set $src (i32.add (local.get $src) (local.get $rowBytes)))
        (local.set $to (i32.add (local.get $to) (local.get $rowBytes)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $next)))
    (memory.copy
      (i32.sub (local.get $out) (local.get $rowBytes))
      (i32.sub (local.get $to) (local.get $rowBytes))
      (local.get $rowBytes))
    (local.get $row))

  ;; Filter 1: a byte is stated less the one a pixel to the left.
  (func $sub (param $src i32) (param $to i32) (param $rowBytes i32) (param $pixelBytes i32)
    (local $left v128) (local $end i32)
    (local.set $end (i32.add (local.get $src) (local.get $rowBytes)))
    (loop $next
      (local.set $left (i8x16.add (local.get $left) (v128.load64_zero (local.get $src))))
      (v128.store64_lane 0 (local.get $to) (local.get $left))
      (local.set $to (i32.add (local.get $to) (local.get $pixelBytes)))
      (local.set $src (i32.add (local.get $src) (local.get $pixelBytes)))
      (br_if $next (i32.lt_u (local.get $src) (local.get $end)))))

  ;; Filter 2: a byte is stated less the one above.
  (func $up (param $src i32) (param $to i32) (param $rowBytes i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $src) (local.get $rowBytes)))
    (loop $next
      (v128.store (local.get $to)
        (i8x16.add
          (v128.load (local.get $src))
          (v128.load (i32.sub (local.get $to) (local.get $rowBytes)))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $src (i32.add (local.get $src) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $src) (local.get $end)))))

  ;; Filter 3: a byte is stated less the mean, rounded down, of the one to the left and the one above. The
  ;; machine's mean rounds up: it is one too large where the two differ in their lowest bit.
  (func $average (param $src i32) (param $to i32) (param $rowBytes i32) (param $pixelBytes i32)
    (local $left v128) (local $above v128) (local $end i32)
    (local.set $end (i32.add (local.get $src) (local.get $rowBytes)))
    (loop $next
      (local.set $above (v128.load64_zero (i32.sub (local.get $to) (local.get $rowBytes))))
      (local.set $left
        (i8x16.add
          (v128.load64_zero (local.get $src))
          (i8x16.sub
            (i8x16.avgr_u (local.get $left) (local.get $above))
            (v128.and
              (v128.xor (local.get $left) (local.get $above))
              (v128.const i8x16 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1)))))
      (v128.store64_lane 0 (local.get $to) (local.get $left))
      (local.set $to (i32.add (local.get $to) (local.get $pixelBytes)))
      (local.set $src (i32.add (local.get $src) (local.get $pixelBytes)))
      (br_if $next (i32.lt_u (local.get $src) (local.get $end)))))

  ;; Filter 4: a byte is stated less whichever of left, above and above-left is nearest to left + above -
  ;; above-left, ties in that order. In 16-bit lanes: the distances reach 510.
  (func $paeth (param $src i32) (param $to i32) (param $rowBytes i32) (param $pixelBytes i32)
    (local $left v128) (local $above v128) (local $corner v128)
    (local $toLeft v128) (local $toAbove v128) (local $toCorner v128) (local $nearest v128)
    (local $end i32)
    (local.set $end (i32.add (local.get $src) (local.get $rowBytes)))
    (loop $next
      (local.set $above (v128.load8x8_u (i32.sub (local.get $to) (local.get $rowBytes))))
      (local.set $toLeft (i16x8.sub (local.get $above) (local.get $corner)))
      (local.set $toAbove (i16x8.sub (local.get $left) (local.get $corner)))
      (local.set $toCorner (i16x8.abs (i16x8.add (local.get $toLeft) (local.get $toAbove))))
      (local.set $toLeft (i16x8.abs (local.get $toLeft)))
      (local.set $toAbove (i16x8.abs (local.get $toAbove)))
      (local.set $nearest
        (i16x8.min_s (i16x8.min_s (local.get $toLeft) (local.get $toAbove)) (local.get $toCorner)))
      (local.set $left
        (v128.and
          (i16x8.add
            (v128.load8x8_u (local.get $src))
            (v128.bitselect
              (local.get $left)
              (v128.bitselect
                (local.get $above)
                (local.get $corner)
                (i16x8.eq (local.get $nearest) (local.get $toAbove)))
              (i16x8.eq (local.get $nearest) (local.get $toLeft))))
          (v128.const i16x8 255 255 255 255 255 255 255 255)))
      (local.set $corner (local.get $above))
      (v128.store64_lane 0 (local.get $to) (i8x16.narrow_i16x8_u (local.get $left) (local.get $left)))
      (local.set $to (i32.add (local.get $to) (local.get $pixelBytes)))
      (local.set $src (i32.add (local.get $src) (local.get $pixelBytes)))
      (br_if $next (i32.lt_u (local.get $src) (local.get $end))))))
