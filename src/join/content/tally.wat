;; Sums over the samples of one row of a frame, and what comes of them (docs/CONTENT.md). Assembled by tools/generate.ts into tally-wasm.ts.
;; Why not JavaScript: for most verdicts this loop would never get hot, and interpreted it takes longer than
;; inflating the frame.
;;
;; Memory; tally-machine.ts has the same places:
;;      0  f64  sum of the squares of the lumas
;;      8  i32  sum of the lumas      12  i32  sum of the alphas     16  i32  samples in missing-texture pink
;;     20  i32  lowest luma           24  i32  highest luma
;;     64  pairs of i32: where a sample of the row begins, and where the sums of its cell stand
;;   2048  cells, each four i32: red, green, blue, samples
;;  12288  the cells' means, each three bytes: red, green, blue
;;  16384  the row
(module
  (memory (export "memory") 1)

  ;; What a sample shows through its alpha, rounded.
  (func $shown (param $value i32) (param $alpha i32) (result i32)
    (i32.div_u
      (i32.add
        (i32.mul (i32.shl (local.get $value) (i32.const 1)) (local.get $alpha))
        (i32.const 255))
      (i32.const 510)))

  ;; Magenta in any light: hardly any green beside much red and blue.
  (func $isMissingPink (param $red i32) (param $green i32) (param $blue i32) (result i32)
    (local $lesser i32)
    (local.set $lesser
      (select (local.get $red) (local.get $blue) (i32.lt_u (local.get $red) (local.get $blue))))
    (i32.and
      (i32.and
        (i32.ge_u (local.get $lesser) (i32.const 48))
        (i32.le_u (i32.shl (local.get $green) (i32.const 2)) (local.get $lesser)))
      (i32.and
        (i32.le_u (local.get $red) (i32.shl (local.get $blue) (i32.const 1)))
        (i32.le_u (local.get $blue) (i32.shl (local.get $red) (i32.const 1))))))

  ;; The samples of the row, whose cells' sums begin at `cells`. Green, blue and alpha of a pixel begin `green`,
  ;; `blue` and `alpha` bytes behind its red; an alpha of 0 bytes means that there is none.
  (func (export "tally")
    (param $samples i32) (param $cells i32) (param $green i32) (param $blue i32) (param $alpha i32)
    (local $pair i32) (local $end i32) (local $at i32) (local $cell i32)
    (local $r i32) (local $g i32) (local $b i32) (local $a i32) (local $level i32)
    (local.set $pair (i32.const 64))
    (local.set $end (i32.add (local.get $pair) (i32.shl (local.get $samples) (i32.const 3))))
    (local.set $a (i32.const 255))
    (loop $next
      (local.set $at (i32.add (i32.const 16384) (i32.load (local.get $pair))))
      (local.set $r (i32.load8_u (local.get $at)))
      (local.set $g (i32.load8_u (i32.add (local.get $at) (local.get $green))))
      (local.set $b (i32.load8_u (i32.add (local.get $at) (local.get $blue))))
      (if (local.get $alpha)
        (then
          (local.set $a (i32.load8_u (i32.add (local.get $at) (local.get $alpha))))
          (if (i32.ne (local.get $a) (i32.const 255))
            (then
              (local.set $r (call $shown (local.get $r) (local.get $a)))
              (local.set $g (call $shown (local.get $g) (local.get $a)))
              (local.set $b (call $shown (local.get $b) (local.get $a)))))))
      ;; Rec. 709 in 256ths, four bits fewer
      (local.set $level
        (i32.shr_u
          (i32.add
            (i32.add
              (i32.mul (local.get $r) (i32.const 54))
              (i32.mul (local.get $g) (i32.const 183)))
            (i32.mul (local.get $b) (i32.const 19)))
          (i32.const 4)))
      (f64.store (i32.const 0)
        (f64.add
          (f64.load (i32.const 0))
          (f64.convert_i32_u (i32.mul (local.get $level) (local.get $level)))))
      (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (local.get $level)))
      (i32.store (i32.const 12) (i32.add (i32.load (i32.const 12)) (local.get $a)))
      (i32.store (i32.const 16)
        (i32.add
          (i32.load (i32.const 16))
          (call $isMissingPink (local.get $r) (local.get $g) (local.get $b))))
      (if (i32.lt_u (local.get $level) (i32.load (i32.const 20)))
        (then (i32.store (i32.const 20) (local.get $level))))
      (if (i32.gt_u (local.get $level) (i32.load (i32.const 24)))
        (then (i32.store (i32.const 24) (local.get $level))))
      (local.set $cell (i32.add (local.get $cells) (i32.load offset=4 (local.get $pair))))
      (v128.store (local.get $cell)
        (i32x4.add
          (v128.load (local.get $cell))
          (i32x4.replace_lane 3
            (i32x4.replace_lane 2
              (i32x4.replace_lane 1 (i32x4.splat (local.get $r)) (local.get $g))
              (local.get $b))
            (i32.const 1))))
      (local.set $pair (i32.add (local.get $pair) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $pair) (local.get $end)))))

  (func $mean (param $sum i32) (param $samples i32) (result i32)
    (i32.div_u
      (i32.add (i32.shl (local.get $sum) (i32.const 1)) (local.get $samples))
      (i32.shl (local.get $samples) (i32.const 1))))

  ;; The means of the first cells, rounded: red, green and blue of each.
  (func (export "means") (param $cells i32)
    (local $cell i32) (local $end i32) (local $to i32) (local $samples i32)
    (local.set $cell (i32.const 2048))
    (local.set $end (i32.add (local.get $cell) (i32.shl (local.get $cells) (i32.const 4))))
    (local.set $to (i32.const 12288))
    (loop $next
      (local.set $samples (i32.load offset=12 (local.get $cell)))
      (local.set $samples
        (select (local.get $samples) (i32.const 1) (local.get $samples)))
      (i32.store8 (local.get $to)
        (call $mean (i32.load (local.get $cell)) (local.get $samples)))
      (i32.store8 offset=1 (local.get $to)
        (call $mean (i32.load offset=4 (local.get $cell)) (local.get $samples)))
      (i32.store8 offset=2 (local.get $to)
        (call $mean (i32.load offset=8 (local.get $cell)) (local.get $samples)))
      (local.set $to (i32.add (local.get $to) (i32.const 3)))
      (local.set $cell (i32.add (local.get $cell) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $cell) (local.get $end))))))
