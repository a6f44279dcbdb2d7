//go:build amd64 && !purego

#include "textflag.h"

// The bytes looked for, eight times each, and what turns [ into { and ] into }.
DATA bytes<>+0(SB)/8, $0x5c5c5c5c5c5c5c5c // \
DATA bytes<>+8(SB)/8, $0x2222222222222222 // "
DATA bytes<>+16(SB)/8, $0x7b7b7b7b7b7b7b7b // {
DATA bytes<>+24(SB)/8, $0x7d7d7d7d7d7d7d7d // }
DATA bytes<>+32(SB)/8, $0x2020202020202020
GLOBL bytes<>(SB), RODATA|NOPTR, $40

// MASK sets mask to where the block in Y0 and Y1 has byte, in the order of the
// text. It overwrites Y2, Y3 and DX.
#define MASK(byte, mask) \
	VPCMPEQB  byte, Y0, Y2 \
	VPCMPEQB  byte, Y1, Y3 \
	VPMOVMSKB Y2, mask     \
	VPMOVMSKB Y3, DX       \
	SHLQ      $32, DX      \
	ORQ       DX, mask

// func blocksAVX2(s *state, data []byte) int
//
// In all of it: SI is the next block, CX how many bytes are left, R8 the depth,
// R9 and R10 are state.escaped and state.inside. In a block: AX are the
// backslashes, BX the quotes, R12 the opening and R13 the closing brackets.
TEXT ·blocksAVX2(SB), NOSPLIT, $0-40
	MOVQ s+0(FP), DI
	MOVQ data_base+8(FP), SI
	MOVQ data_len+16(FP), CX
	MOVQ 0(DI), R8
	MOVQ 8(DI), R9
	MOVQ 16(DI), R10
	VPBROADCASTQ bytes<>+0(SB), Y11
	VPBROADCASTQ bytes<>+8(SB), Y12
	VPBROADCASTQ bytes<>+16(SB), Y13
	VPBROADCASTQ bytes<>+24(SB), Y14
	VPBROADCASTQ bytes<>+32(SB), Y15
	VPCMPEQB     X10, X10, X10
	MOVQ         $0xaaaaaaaaaaaaaaaa, R11

block:
	SUBQ    $64, CX
	JLT     none
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	ADDQ    $64, SI
	MASK(Y11, AX)
	MASK(Y12, BX)
	VPOR    Y15, Y0, Y0
	VPOR    Y15, Y1, Y1
	MASK(Y13, R12)
	MASK(Y14, R13)
	MOVQ    AX, DX
	ORQ     R9, DX
	JNZ     escapes

strings:
	VMOVQ      BX, X2
	VPCLMULQDQ $0, X10, X2, X2
	VMOVQ      X2, DX
	XORQ       DX, R10
	ANDNQ      R12, R10, R12
	ANDNQ      R13, R10, R13
	SARQ       $63, R10
	POPCNTQ    R13, DX
	CMPQ       DX, R8
	JGE        brackets

count:
	POPCNTQ R12, AX
	ADDQ    AX, R8
	SUBQ    DX, R8
	JMP     block

// As state.escapes does; R11 are the odd bits.
escapes:
	ANDNQ AX, R9, AX
	LEAQ  (AX)(AX*1), DX
	ORQ   R11, DX
	SUBQ  AX, DX
	XORQ  R11, DX
	ORQ   DX, R9
	ANDNQ BX, R9, BX
	MOVQ  DX, R9
	ANDQ  AX, R9
	SHRQ  $63, R9
	JMP   strings

// As endInBlock does; BX are the closing brackets not yet looked at, AX is the depth
// behind those that were, openings left out.
brackets:
	MOVQ R13, BX
	MOVQ R8, AX

bracket:
	TESTQ   BX, BX
	JZ      count
	BLSMSKQ BX, R13
	ANDQ    R12, R13
	POPCNTQ R13, R13
	DECQ    AX
	ADDQ    AX, R13
	JZ      found
	BLSRQ   BX, BX
	JMP     bracket

found:
	TZCNTQ BX, BX
	LEAQ   -63(SI)(BX*1), AX
	SUBQ   data_base+8(FP), AX
	MOVQ   AX, ret+32(FP)
	VZEROUPPER
	RET

none:
	MOVQ R8, 0(DI)
	MOVQ R9, 8(DI)
	MOVQ R10, 16(DI)
	MOVQ $-1, ret+32(FP)
	VZEROUPPER
	RET
