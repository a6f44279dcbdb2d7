//go:build !purego

#include "go_asm.h"
#include "textflag.h"

DATA newline<>+0(SB)/1, $0x0a
GLOBL newline<>(SB), RODATA, $1

// COMPARE sets LOW and HIGH where both bytes of a name are right.
#define COMPARE(FIRST, SECOND, BYTE1, BYTE2, LOW, HIGH) \
	VPCMPEQB (SI)(FIRST*1), BYTE1, LOW; \
	VPCMPEQB (SI)(SECOND*1), BYTE2, Y9; \
	VPCMPEQB 32(SI)(FIRST*1), BYTE1, HIGH; \
	VPCMPEQB 32(SI)(SECOND*1), BYTE2, Y10; \
	VPAND LOW, Y9, LOW; \
	VPAND HIGH, Y10, HIGH

// func scanBlocks(dst []Mark, buf []byte, names []text, from, last int) (n, next int)
//
//	DI  next place in dst               SI  the block in buf
//	R8  dst beyond which 64 marks       AX  its offset
//	    do not fit                      BX  offset of the last block
//	Y0  newlines
//	Y11, Y12, R12, R13                  R9  the other names
//	    the first name's bytes          R10 their end
//	    and where they are
//
// Within a block, the low half of it first:
//
//	Y1, Y2  where newlines are          Y3, Y4  where names may stand
TEXT ·scanBlocks(SB), NOSPLIT, $0-104
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R8
	SHLQ $2, R8
	ADDQ DI, R8
	SUBQ $256, R8
	MOVQ buf_base+24(FP), SI
	MOVQ names_base+48(FP), R9
	MOVQ names_len+56(FP), R10
	IMULQ $text__size, R10
	ADDQ R9, R10
	MOVQ from+72(FP), AX
	MOVQ last+80(FP), BX
	ADDQ AX, SI
	VPBROADCASTB newline<>(SB), Y0
	MOVQ text_first(R9), R12
	MOVQ text_second(R9), R13
	VMOVDQU text_vector(R9), Y11
	VMOVDQU (text_vector+32)(R9), Y12
	ADDQ $text__size, R9

block:
	CMPQ AX, BX
	JGT  done
	VPCMPEQB (SI), Y0, Y1
	VPCMPEQB 32(SI), Y0, Y2
	COMPARE(R12, R13, Y11, Y12, Y3, Y4)
	CMPQ R9, R10
	JEQ  marks
	MOVQ R9, R11

more:
	MOVQ text_first(R11), DX
	MOVQ text_second(R11), CX
	VMOVDQU text_vector(R11), Y5
	VMOVDQU (text_vector+32)(R11), Y6
	COMPARE(DX, CX, Y5, Y6, Y7, Y8)
	VPOR Y7, Y3, Y3
	VPOR Y8, Y4, Y4
	ADDQ $text__size, R11
	CMPQ R11, R10
	JNE  more

marks:
	VPOR Y1, Y3, Y5
	VPOR Y2, Y4, Y6
	VPOR Y5, Y6, Y7
	VPTEST Y7, Y7
	JZ   next
	CMPQ DI, R8
	JHI  done

	// CX has a bit for each mark, DX for those of names.
	VPMOVMSKB Y5, CX
	VPMOVMSKB Y6, R11
	SHLQ $32, R11
	ORQ  R11, CX
	VPMOVMSKB Y3, DX
	VPMOVMSKB Y4, R11
	SHLQ $32, R11
	ORQ  R11, DX

mark:
	TZCNTQ CX, R11
	BTQ  R11, DX
	LEAQ (AX)(R11*1), R11
	ADCQ R11, R11 // twice the offset, and the bit
	MOVL R11, (DI)
	ADDQ $4, DI
	BLSRQ CX, CX
	JNZ  mark

next:
	ADDQ $64, SI
	ADDQ $64, AX
	JMP  block

done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $2, DI
	MOVQ DI, n+88(FP)
	MOVQ AX, next+96(FP)
	RET
