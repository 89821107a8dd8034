"""The machine that code is made for: every number about a machine stands here.

Schedules depend on it, results never: the order in which values are combined is that of
``dialects.order`` on every machine.

``Target`` is one machine, for the passes that take ``target=``: those that plan, and those that
lower nests.  The constants before it hold for all machines; all other passes and the emitter go by
these alone, so what they write is the same on each.  What a measurement gave is a number; what
follows from another one is written as that.
"""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024
LINE = 64
"""Bytes of a cache line."""
WAY = 4 * KIB
"""Bytes of which the first cache has one line for each of its ways: what lies a multiple of so many
bytes apart falls into one set.  Rows of a tile push each other out then: a window with 1024
channels takes 1.24 times as long as with a line between them, of 256 and 512 channels 0.99."""
AHEAD = KIB
"""Bytes in a row from which on a processor fetches what follows before it is asked for."""
WIDEST = 64
"""Bytes of the widest vectors."""
HALF_WIDEST = WIDEST // 2
"""Bytes of vectors of which processors have 16 registers, and no instruction that adds products of
small integers to sums."""
L1 = 32 * KIB
"""Bytes of the first-level cache that every machine has at least."""
CACHES = 4096 * KIB
"""Bytes that the caches of one core hold, of machines whose last-level cache others share."""
FRAME = 16 * KIB
"""Bytes of the stack that a C function takes at most: threads of a caller may have little."""
STACK = FRAME - FRAME // 4
"""Bytes of arrays on the stack of one C function with nothing else: some of a frame is left.

Columns of 4 KiB that a loop adds up are faster there than in the workspace, by 2 to 8 %.
"""
FEW_ON_STACK = KIB
"""Bytes of arrays of a loop that is no function for them."""
COPIES_OF_LANES = 4
"""Copies of lanes on the stack that compilers make."""
KEPT = 2 * L1
"""Bytes that a nest keeps in an array of what one sweep computes for a later one, at most: from the
second-level cache it still comes faster than from the result (softmax of rows of 12,288 and 16,000:
1.12 and 1.15 times as fast as with half)."""
PIECE = 2 * LINE
"""Bytes of a row from which on its cache lines go past the caches, and not all through them."""
BURST = 8 * LINE
"""Bytes that are written past the caches at once, while processors read on from several places."""
FAR = 8 * LINE, 6 * LINE
"""Bytes of the rows and columns of a tile that is transposed: whole cache lines on both sides,
no power of two on one of them, so that its rows do not compete for places in a cache."""
NEAR = 2 * LINE, 9 * LINE
"""The same where caches hold what is read: such a tile leaves room in the first-level cache."""

VECTOR = WIDEST // 4
"""Values of f32 that fill the widest vectors; narrower ones are filled as well then.  Half as many
are worth a vector operation."""
SHORT = 2 * VECTOR
"""Values of a row that are few vectors, as many as there are vector registers at most: such rows go
side by side.  Loops over half as many C compilers unroll before they could make vectors of them."""
STAGED = 4 * VECTOR
"""Values that a loop over vectors takes at once, in registers: compilers unroll and mix them."""
LONG = 32 * VECTOR
"""Values of a row from which on what is left over after full vectors does not matter."""
BUFFERED = L1 // (16 * 4)
"""Values that one loop hands to the next: enough to unroll, and 16 arrays of them in f32 fit into
the first-level cache."""
ONE_BUFFER = BUFFERED + BUFFERED // 4
"""Values up to which there is one block: a second one would be of few values."""
FILLING = VECTOR // 2
"""Values that are worth a vector operation: lanes that are added up together, cells of a loop over
two rows, and the extent of an axis from which on it pays to turn rows and columns around."""
FILLED = FILLING, VECTOR
"""Numbers of values that runs of unknown length are filled up to, if they have less."""
INTERLEAVED = 4
"""Rows whose running totals go on side by side: an addition takes three or four times as long as a
processor needs to begin another one.  Of eight rows that lie apart by a power of two, the results
drive what is read next out of the first cache: 64 x 4096 take four times as long.  Down columns,
values of which one loop over vectors takes as many."""
SEARCHED = 2 * STAGED
"""Values of a block of a search: few, since the second pass is over a whole one, but enough for
vectors."""
NORMED = 2 * STAGED
"""Values of a row up to which each sweep of a norm takes a block of rows before the next begins."""
WALKS = 16
"""Walks through tables that go side by side: each waits for what it loads, the others go on."""
WALK_ROWS = 64
"""Rows of a block of them: the tables of one block are in the cache by then, and stay there."""
LOOKED_UP = 4 * KIB
"""Bytes that are looked up at once: their table, in registers, is read again for the next ones."""
LEAST_STAGED = 4
"""Values of f16 or bf16 below which a staging buffer is not worth its loops."""

COALESCED = 2 * BUFFERED
"""Points of short rows that go as one loop, about."""
COALESCED_LAID_OUT = BUFFERED // 2
"""The same where every block lays something out."""
MANY_POINTS = 4 * COALESCED
"""Points whose rows need not go together to fill vectors."""
SHORT_OF_FUNCTIONS = BUFFERED // 2
"""Values of a row of unknown extent up to which that pays for functions, which take long one by
one.  For simple operations it pays up to a vector."""
ACROSS = 3
"""Values up to which rows are left to vectors across them."""
TABLES = 3
"""Operands laid out for simple operations, at most: with nine, rows of 14 take twice as long."""
TURNED_POINTS = BUFFERED // 2
"""Points whose rows are transposed together, at most: what a block costs once is little then."""
TURNED_WINDOW = L1 // 4
"""Elements of a window that is transposed before it is converted: the first cache keeps them."""
FEW_TRANSPOSED = 3
"""Tiles along an axis that are transposed, up to which one goes along all of it."""
TRANSPOSED_LOADS = 3
"""Operands that one nest transposes, at most."""
FEW_TILES = 4
"""Tiles that read an operand at most for it to stay where it lies."""
FEW_COLUMNS = 6
"""Columns up to which vectors along them, of 8 values at most, take longer than squares of rows
that are transposed for vectors along these."""
FEW_PRODUCTS = 4
"""Products of a result up to which memory takes the time: written point by point, 1 to 4 of them
take 0.3 to 0.7 of the time, 6 and 8 0.75 to 1, and 12 and 16 up to 1.1."""
CERTAIN = 1.2
"""Times the estimated cost of another schedule from which on a planner does not keep its own.

On an Intel Xeon (family 6, model 207), schedules beyond 1.5 of nine pointwise layers of a YOLO take
0.47 to 0.85 of the time, and that of a tenth 1.10.  On a Zen 3 (AMD, family 25), those between 1.3
and 1.5 of 1x1 layers of 7 by 7 pixels take 0.62 to 0.75, and those between 1.2 and 1.3 of 26 random
products 0.69 to 1.0; at 1.15 one takes 1.56 times as long.  So it is for other loops alone."""
CERTAIN_OF_LOOPS = 1.1
"""The same of windows with other loops around the same tile: on a Zen 4 (AMD, family 25), 25 of
networks take 0.96 of the time in the mean, 0.83 to 1.11."""
CERTAIN_OF_WINDOWS = 5
"""The same of windows with other tiles: by 1.5, those of 3 by 3 take 1.07 to 2.98 times as long."""
FEW_FUNCTIONS = 3
"""Functions of a sum that are as fast along the rows of a tile as along its columns.  A bias and a
limit are; to quantize a sum, by nine of them, takes 1 instead of 10 ns."""
PREFETCHED = 32
"""Times as long as panels take to come from the last cache, in which tiles compute that prefetch
the next ones.  In networks on an Intel Xeon with AMX, whose weights come from memory, products with
10 tiles for each panel take 0.8 of the time (BERT), those with 16 0.9 (ViT); from caches, 20 tiles
take 1.05 of it."""
UNPACKED = 2
"""Times the same where panels are unpacked: bf16 takes 0.92 to 0.98 of the time, int8 to 1.02."""
LEAST_NON_TEMPORAL = 2 * BURST
"""Fewest bytes of a row that is no whole number of cache lines, of nests that go past the caches
only then."""
PLACED = 1 << 20
"""Bytes of a result from which on it matters where it starts."""

PHASES = 4
"""Neighbours that vectors take apart: of more, which lie side by side in a window, each goes its
own way."""
PIECES = 8
"""Pieces that a loop has for each thread, at least: a thread that is late holds up little then."""
PARTS = 2 * PIECES
"""The same of chunks of a long sum, or up to twice as many, and of blocks of rows in a pipeline:
the first sweeps of the first row of each go alone."""
MOST_PARTS = 2 * PARTS
"""The most of these: as many blocks of a sum as a power of two are a chunk."""
PIPELINED = 4
"""Rows of such a block for which a pipeline is worth it."""
FORK = 1 << 20
"""Simple operations below which threads that sleep are not woken: some 20 us."""
JOIN = 1 << 17
"""The same below which threads do not share a loop even if they are awake: some 3 us, of copies
that wait for the caches of others five times as long.  Ten networks on two threads of an Intel Xeon
(family 6, model 207) take 0.96 of the time of twice this number; by half of it no less."""
ARGUMENT = 4
"""What an access of an argument costs, which no cache near by has: on two threads, ReLU of 131,072
and 262,144 values takes 0.69 and 0.4 of the time, sums 0.65 to 1."""
CHUNK = 1 << 16
"""Values of one long sum that a thread takes at least: some 10 us."""
GUESSED = 256
"""Iterations of a loop of which nothing is known, where it matters whether threads pay."""
LENGTH = 1024
"""Elements along an axis of which nothing is known, where it matters whether tiles stay in a cache:
tokens of a long text.  Of fewer, tiles take less of the cache than they may."""
THREADS = 64
"""Threads that share a loop at most."""
SPINS = 2000
"""Looks for work before a thread sleeps: some 100 us."""
PATIENCE = 8
"""Times as long is computed alone as was lost because other programs ran."""
CREDIT = 4_000_000
"""Nanoseconds that sharing a loop may lose of what it gained before: a time slice of another
program, which so costs no more than it takes, as long as there are few of them."""

CHEAP = 4
"""Cost, in simple operations, up to which a kernel is computed again for each user."""
WORTH = 12
"""The same from which on computing a value again is dearer than writing and reading it."""
LITTLE = 16
"""The same of a point up to which memory takes the time."""
INDEXED = 8
"""Times as long as a comparison along rows takes one with an element at an index that is computed,
and the exchange behind it: 3 to 5 ns, for which compilers make no vectors, and 0.1 to 0.5 ns."""
PHASE_FILTERS = 16
"""Filters of a transposed convolution from which on phases that see other elements are convolutions
of their own: as filters of one, 3 take 0.5 of the time, 8 take 0.7 to 0.9, and 16 as long."""
PHASE_EXTENT = 24
"""Elements of an axis from which on such phases go together all the same, which takes 0.85 to 1.0
of the time: of 16 by 16 elements 1.1, since one position more is computed."""
FUNCTION = 32
"""Simple operations, one after the other, that take as long as a function."""
AGAIN = 2 * FUNCTION
"""Cost up to which a value that cannot be kept is computed again in a later sweep."""
BODY = 96
"""Operations that may stand in a loop over vectors: gcc 12 makes none of loops much longer."""
NEXT_BODY = 256
"""The same where all loads read neighbours.  Means of 64 windows of 13x13 and 16x16 take 0.15 and
0.9 of the time of a loop for each, of 20x20 up to 0.8 (Zen 3, AVX2)."""
MIXED = 8
"""Rounds of a loop that gcc mixes at most."""
MIXED_CODE = 300
"""Instructions of all these rounds.  With twice as many, values go through memory for want of
registers, and gelu took 1.1 times as long, up to 1.3 where memory was slow."""
MIXED_ON_AVERAGE = 800
"""The same of a loop of which not every round does all."""
UNIT = 12 * KIB
"""Characters of the nests that are compiled together from which on there are no more; a file with
fewer is compiled as one."""
TOGETHER = 4
"""How many nests are compiled together on average.  Each alone, the 56 of a ResNet-50 took 1.35
times as long, for the headers and helpers; in groups of 16 no less than in these."""
ROLLED = FILLING, VECTOR
"""Rounds of a loop that gcc would unroll before it looks for vectors, though they fill some."""
ROLLED_COPIES = range(VECTOR // 4 + 1, VECTOR + 1)
"""Of what is only copied also what takes two vectors or three: value by value, a depthwise layer of
14 columns took 1.27 times as long."""
ROLLED_SIMPLE = tuple(count for count in ROLLED_COPIES if count % (VECTOR // 4))
"""Of what simple operations compute, those that leave something over after vectors of four: a
depthwise layer of 14 columns with a limit took 1.2 times as long, but 12 columns 0.95."""
ROLLED_SUMS = 20
"""Vectors of sums from which on steps of a tile are not mixed: on an Intel Xeon (family 6, model
106), 20, 21, 24, 26 and 28 of 32 registers take 0.97 to 1.00, 0.88, 0.93 to 1.01, 0.89 to 1.01 and
0.68 to 0.76 of the time, but 14 and 16 1.04 to 1.14."""
ROLLED_ROWS = {WIDEST: range(2, 5), HALF_WIDEST: range(2, 7)}
"""The same of rows of at least two vectors of so many bytes: with 64 on a Zen 4 (AMD, family 25),
2, 3 and 4 rows take 0.81 to 0.95 of the time, 5 rows 1.01 to 1.04; with 32 on a Zen 3, of 16
registers, 2 to 6 rows take 0.82 to 1.00."""
SEEN_ROWS = 3
"""Windows that see a row at most, if each of them is to compute what it sees: where 5 do, 20
columns took 1.6 times as long so, and 40 as long as before."""
DIVISIONS = 3
"""Different divisions in an index from which on C compilers must not vectorize straight code.

gcc 12.2 reads wrong elements where a loop of nine steps has six of them in an index, as in
``x[i + j / 392 * 37632 + j % 7 * 96 + j / 49 % 8 * 672 + j / 7 % 7 * 5376]`` for j from 9 k to
9 k + 8; without any one of these terms it does not.
"""
LOOPS = 64
"""Loops one after another in one C function: compilers take more than twice the time for twice as
many, gcc 24 s for 4,000."""


LEAST_CHANNELS = 4
"""Of a window whose zero point is taken off afterwards; a step multiplies four 8-bit numbers."""
LEAST_SHARING = 16
"""Rows or columns that share a sum of 8-bit numbers which is computed for their zero point."""


@dataclass(frozen=True)
class Target:
    """A machine, as far as schedules go by it.

    ``l1``, ``l2`` and ``l3`` are the bytes of the caches that one core sees.
    """

    name: str
    vector_bytes: int
    registers: int
    """Vector registers."""
    fma: bool
    """Whether a fused multiply-add is one instruction."""
    sums_in_flight: int = 8
    """Fused multiply-adds in flight: each takes four cycles, and two start at once."""
    starts: int = 2
    """Fused multiply-adds that start in a cycle."""
    load_starts: int = 2
    """Loads that do."""
    single_load: float = 1
    """How many of them a load of one value to all lanes counts as, from a panel or a filter."""
    l2_rate: int = 16
    """Bytes that come from the second cache in a cycle while a tile is computed.

    On a Zen 3 (AMD, family 25), with vectors of 32 bytes, tiles chosen by 14, 16 and 18 take 1.04
    times as long as the best in the mean of 15 nests, by 12 and 32 1.14 and 1.08.  Intel's have 32
    with vectors of 64 bytes: 6 x 64 and 4 x 96 floats (400 bytes in 12 cycles) are at the peak."""
    l2_piece_rate: int = 8
    """The same for rows of a window, of which each channel has some lines on a page of its own."""
    l3_rate: int = 12
    """Bytes that come from the last cache in a cycle, if they are in order."""
    l3_piece_rate: int = 4
    """The same for lines on pages of their own."""
    far_copy_rate: int = 3
    """Bytes in a cycle of a copy that is not in the second cache when it is written."""
    memory_rate: int = 4
    """Bytes that come from memory in a cycle."""
    prefetched: int = 2 * KIB
    """Bytes from what is computed of constants to what is prefetched for it; 0 if nothing is.

    One row times 1024 x 4096 weights of 4 to 16 bits takes 0.78 to 0.88 of the time on a Xeon."""
    pages: int = 64
    """Pages whose places a core knows at once."""
    page_wait: int = 4
    """Cycles for finding another one: 128 to 128 channels of 100 by 76 take 1.7 times as long
    where a tile reads pixels of each channel where they lie.

    These rates fit 800 schedules of 40 nests on an Intel Xeon with 2 MiB of second cache."""
    line_wait: int = 20
    """Cycles of a store to a part of a line that the first cache has lost: 17 to 23 on a Zen 4 for
    results of 32 channels by 14 pixels, whose planes lie a multiple of 4 KiB apart."""
    piece_wait: int = 50
    """Cycles until a piece of results on a page of its own is in the second cache: 30 to 110 on a
    Zen 4.  64 to 128 channels of 160 by 160 take 0.8 of the time in pieces of 2 KiB."""
    in_order: float = 0.3
    """Cycles from a sum in a register to its result in memory, with a bias and a limit."""
    transposed: float = 0.7
    """The same for results that lie along the rows of a tile, of which blocks are transposed."""
    integer_registers: int | None = None
    """The same of integers, where these have others."""
    groups: tuple[int, ...] = (2,)
    """How many products of small integers one instruction may add to a sum of 32 bits."""
    alike: tuple[bool, ...] = (False,)
    """Whether both bytes of four products are signed or both are not, or one of them is: VNNI takes
    different signs, Arm's dot product like ones, and its products of 16 bits any."""
    matrix_latency: int = 52
    """Cycles until the next product of matrices can be added to the same sums."""
    looks_bytes_up: bool = False
    """Whether instructions look vectors of bytes up in 256 others: VBMI of AVX-512, and NEON."""
    widening: float = 0.5
    """Multiply-adds of a vector that take as long as making 16-bit numbers of unsigned bytes."""
    sign_extending: float = 0.5
    """The same of signed bytes."""
    lane_to_all: float = 0.5
    """The same for a copy of one lane to all, of a register: of memory it costs nothing."""
    totals: int = L1 // 32
    """Running totals in f32 that one loop adds to: some of them and what is added fit into l1."""
    turns: int = 64
    """Values of f32 of each of two rows that are computed in turns, half of f64: a processor
    looks ahead over some hundred instructions."""
    past: int = 18 * KIB * KIB
    """Bytes that a nest must access for its results to go past the caches; if it reads half of
    that, it need not write as much.  Last-level caches do not hold more besides what is written.

    Differences with a row take 1 to 1.4 times as long past them where 8 MiB are read, with 12 to
    32 MiB 0.4 to 0.8 times if arrays begin at cache lines and 0.5 to 1.2 times if not, with one and
    with two threads.  8 MiB of rows that become columns take 0.74 to 0.93 times as long."""
    l1: int = L1
    l2: int = 512 * KIB
    l3: int = 8192 * KIB
    has_floats: bool = True
    """Whether instructions compute with f32."""
    most_copied: int | None = None
    """Bytes of a part of a window that is copied with its padding, where memory is short: a window
    of more than two parts is copied part by part, and results are written over what was copied."""

    def lanes(self, size: int) -> int:
        """Numbers of ``size`` bytes that a vector has; 1 on a machine without vectors."""
        return max(1, self.vector_bytes // size)

    def room(self, is_integer: bool) -> int:
        """Registers for sums and factors of a tile, of integers or floats."""
        others = self.integer_registers
        return others if is_integer and others is not None else self.registers

    @property
    def multiplies_bytes(self) -> bool:
        """Whether one instruction adds four products of 8-bit numbers, of signs as in ``alike``.

        Without it, factors go in 16 bits, which hold what 8-bit numbers with a zero point need.
        """
        return 4 in self.groups

    @property
    def prefers_unsigned(self) -> bool:
        """Whether bytes are widened for products, and signed ones take longer."""
        return not self.multiplies_bytes and self.sign_extending > self.widening

    def looked_up(self, entry: int, is_there: bool) -> int:
        """Simple operations of f32 that take as long as looking a byte up in a table.

        ``entry`` is the number of bytes of its entries.  The byte is in memory, or is written and
        read for it.  On a Zen 3 (AMD, family 25), functions of 8 and 13 operations take 0.8 and 0.9
        of the time of a look-up without vectors, sigmoid and gelu 1.9 and 3.2 times as long.
        Vectors of bytes are looked up at the speed of memory: on an Intel Xeon with VBMI,
        convolutions whose results go through functions of 8 to 11 operations take 0.56 to 0.87 of
        the time so.
        """
        if self.looks_bytes_up and entry == 1:
            return CHEAP
        return 2 * self.lanes(4) + (0 if is_there else WORTH)

    @property
    def has_vectors(self) -> bool:
        """Whether vectors have more than one number; if not, small loops are unrolled."""
        return self.vector_bytes > 4

    @property
    def transposed_rows(self) -> int:
        """Values of short rows, in f32, that are transposed together."""
        return 2 * self.totals

    @property
    def row_in_turns(self) -> int:
        """Values of a row from which on it goes in turns with another one."""
        return 2 * self.turns

    @property
    def half_past(self) -> int:
        """Bytes that a nest must read for what it reads not to stay in caches."""
        return self.past // 2

    @property
    def half_l1(self) -> int:
        """Bytes of what is read again from the first cache, while as much goes through it."""
        return self.l1 // 2

    @property
    def quarter_l1(self) -> int:
        """Bytes of rows of a window that the first cache keeps until other filters read them, while
        rows of other channels, and what is written, go through it.
        """
        return self.l1 // 4

    @property
    def half_l2(self) -> int:
        """The same of the second cache."""
        return self.l2 // 2

    @property
    def quarter_l2(self) -> int:
        """Bytes of what is made for a tile in the second cache: what all tiles read has the rest,
        or the other way around.
        """
        return self.l2 // 4

    def describe(self) -> str:
        """One line for the first comment of a C file."""
        fma = "fma" if self.fma else "no fma"
        caches = "/".join(str(n // KIB) for n in (self.l1, self.l2, self.l3))
        return (
            f"{self.name}: {self.registers} vectors of {self.vector_bytes} bytes, {fma}, "
            f"caches of {caches} KiB"
        )
