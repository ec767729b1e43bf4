/* Beams at once on the standard board, in C: the limit beside which bench/extract.py puts the referee.
 *
 * It judges the canonical lines of an archive by docs/rules/beams.md: every move, and the result after the last.
 * It reads no JSON and explains nothing: it finds the fields in the text, and prints the number of each wrong line.
 * Rows are south's: 13 down to 1, 0 between the territories, -1 down to -13 for north. Clocks are sixths, as south
 * sees them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 13, COLUMNS = 15, WIDTH = COLUMNS + 2, EDGE = ROWS + 2, CELLS = (2 * EDGE + 1) * WIDTH };
enum { SOUTH, NORTH, SIDES };
enum { NONE, M1, M2V, M2Y, M3, R1, R2V, R2Y, R3, S, PIECES };
enum { FIELD, WALL, BEYOND_NORTH, BEYOND_SOUTH };

static const int hand_of_one[PIECES] = {0, 3, 1, 1, 1, 3, 1, 1, 1, 4};
static const int fan[4][3] = {{0, -1}, {0, 1, -1}, {0, 2, -1}, {0, 1, 2}};
static const int step[6] = {-2 * WIDTH, -WIDTH + 1, WIDTH + 1, 2 * WIDTH, WIDTH - 1, -WIDTH - 1};

static unsigned char region[CELLS];

typedef struct { int piece, cell, clock; } Move; /* No piece: a rotation by `clock` sixths. */
typedef struct { int hand[PIECES], left; int rotated; } Player;

static Player players[SIDES];
static unsigned char piece[CELLS], clock_of[CELLS], lines[CELLS];
static int generators[SIDES * 6], generating;

static int at(int row, int column) { return (row + EDGE) * WIDTH + column; }

static void draw_board(void) {
    for (int row = -EDGE; row <= EDGE; row++)
        for (int column = 0; column < WIDTH; column++)
            region[at(row, column)] = row < -ROWS ? BEYOND_NORTH : row > ROWS ? BEYOND_SOUTH
                : column == 0 || column == WIDTH - 1 ? WALL : FIELD;
}

static int is_generator(int kind) { return M1 <= kind && kind <= M3; }
static int is_barrier(int kind) { return R1 <= kind && kind <= R3; }
static const int *fan_of(int kind) { return fan[(kind - 1) % 4]; }

/* 1, and 1 for each booster on the three cells behind, as the owner sees them. */
static int power(int cell) {
    int behind = cell > at(0, WIDTH - 1) ? 2 : 5, sum = 1;
    for (int i = 0; i < 3; i++) sum += piece[cell + step[(behind + i) % 6]] == S;
    return sum;
}

static void shoot(int cell, int clock, int points[SIDES]) {
    for (int left = power(cell); left > 0;) {
        cell += step[clock];
        switch (region[cell]) {
        case WALL: clock = (6 - clock) % 6; break;
        case BEYOND_NORTH: points[SOUTH]++; return;
        case BEYOND_SOUTH: points[NORTH]++; return;
        default: if (lines[cell] >> clock % 3 & 1) left -= power(cell);
        }
    }
}

static void count_points(int points[SIDES]) {
    points[SOUTH] = points[NORTH] = 0;
    for (int i = 0; i < generating; i++) {
        int cell = generators[i];
        const int *part = fan_of(piece[cell]);
        for (int j = 0; j < 3 && part[j] >= 0; j++) shoot(cell, (clock_of[cell] + part[j]) % 6, points);
    }
}

static void stand(int cell, int kind, int clock) {
    piece[cell] = kind;
    clock_of[cell] = clock;
    if (!is_barrier(kind)) return;
    lines[cell] = 0;
    const int *part = fan_of(kind);
    for (int j = 0; j < 3 && part[j] >= 0; j++) lines[cell] |= 1 << (clock + part[j]) % 3;
}

static int is_legal(const Move *move, const Player *player) {
    int cell = move->cell, there = piece[cell];
    if (!move->piece) return there && there != S && !(player->rotated && player->left);
    if (there || !player->hand[move->piece]) return 0;
    if (is_generator(move->piece))
        for (int clock = 0; clock < 6; clock++)
            if (is_generator(piece[cell + step[clock]])) return 0;
    return 1;
}

static void play(const Move *move, Player *player) {
    player->rotated = !move->piece;
    if (player->rotated) {
        stand(move->cell, piece[move->cell], (clock_of[move->cell] + move->clock) % 6);
        return;
    }
    player->hand[move->piece]--;
    player->left--;
    stand(move->cell, move->piece, move->clock);
    if (is_generator(move->piece)) generators[generating++] = move->cell;
}

static const char *blanks(const char *text) {
    while (*text == ' ') text++;
    return text;
}

static const char *read_number(const char *text, int *number) {
    if (*text < '1' || *text > '9') return NULL;
    for (*number = 0; *number < 10000 && '0' <= *text && *text <= '9'; text++) *number = *number * 10 + *text - '0';
    return text;
}

static const char *read_piece(const char *text, int *kind) {
    if (*text == 'S') return *kind = S, text + 1;
    if (*text != 'M' && *text != 'R') return NULL;
    int first = *text == 'M' ? M1 : R1;
    if (text[1] == '1' || text[1] == '3') return *kind = first + (text[1] == '3' ? 3 : 0), text + 2;
    if (text[1] != '2' || (text[2] != 'V' && text[2] != 'Y')) return NULL;
    return *kind = first + (text[2] == 'V' ? 1 : 2), text + 3;
}

static const char *read_cell(const char *text, int side, int *cell) {
    int row = *text - 'A' + 1, column;
    if (row < 1 || row > ROWS || !(text = read_number(text + 1, &column))) return NULL;
    if (column > COLUMNS || (row + column) % 2 == 0) return NULL;
    *cell = side == SOUTH ? at(row, column) : at(-row, COLUMNS + 1 - column);
    return text;
}

static const char *read_move(const char *text, int side, Move *move) {
    char letter = *text;
    if ((letter != 'P' && letter != 'R') || text[1] != ' ') return NULL;
    *move = (Move){NONE, 0, 0};
    text += 2;
    if (letter == 'P' && (!(text = read_piece(text, &move->piece)) || *text++ != ' ')) return NULL;
    if (!(text = read_cell(text, side, &move->cell)) || move->piece == S) return text;
    if (*text++ != ' ') return NULL;
    if (letter == 'R') {
        if (*text != 'L' && *text != 'R') return NULL;
        move->clock = *text == 'R' ? 1 : 5;
        return text + 1;
    }
    int hour;
    if (!(text = read_number(text, &hour)) || hour > 12 || hour % 2) return NULL;
    move->clock = (hour / 2 + (side == NORTH ? 3 : 0)) % 6;
    return text;
}

/* The number of moves if all of them are legal, or -1. */
static int play_all(const char *text) {
    memset(piece, 0, sizeof piece);
    memset(lines, 0, sizeof lines);
    generating = 0;
    for (int side = 0; side < SIDES; side++) {
        players[side] = (Player){.left = 16};
        memcpy(players[side].hand, hand_of_one, sizeof hand_of_one);
    }
    int round = 0, turns_left = -1;
    while (*text != '"') {
        int number;
        Move moves[SIDES];
        if (!turns_left || !(text = read_number(text, &number)) || number != ++round || *text++ != '.') return -1;
        for (int side = 0; side < SIDES; side++) {
            if (!(text = read_move(blanks(text), side, &moves[side]))) return -1;
            text = blanks(text);
            if (side == SOUTH && *text++ != '|') return -1;
        }
        if (*text++ != '\\' || *text++ != 'n') return -1;
        for (int side = 0; side < SIDES; side++) if (!is_legal(&moves[side], &players[side])) return -1;
        for (int side = 0; side < SIDES; side++) play(&moves[side], &players[side]);
        if (turns_left > 0) turns_left--;
        else if (!players[SOUTH].left && !players[NORTH].left) turns_left = 1;
    }
    return 2 * round;
}

static int judge(const char *line) {
    static const char options[] =
        "\"options\": {\"mode\": \"asynchronous\", \"columns\": 15, \"rows\": 13, \"pieces\": \"standard\", "
        "\"barriers\": \"crossing\"}, \"result\": {\"south\": ";
    const char *result = strstr(line, options);
    int said[SIDES], points[SIDES], from = 0;
    if (!result) return -1;
    sscanf(result + sizeof options - 1, "%d, \"north\": %d}, \"moves\": \"%n", &said[SOUTH], &said[NORTH], &from);
    if (!from) return -1;
    int moves = play_all(result + sizeof options - 1 + from);
    count_points(points);
    return points[SOUTH] == said[SOUTH] && points[NORTH] == said[NORTH] ? moves : -1;
}

int main(int number, char **words) {
    FILE *file = number == 2 ? fopen(words[1], "r") : NULL;
    if (!file) return fputs("name an archive\n", stderr), 2;
    draw_board();
    char *line = NULL;
    size_t size = 0;
    long moves = 0;
    for (int games = 1; getline(&line, &size, file) > 0; games++) {
        int made = judge(line);
        if (made < 0) printf("%d\n", games);
        else moves += made;
    }
    fprintf(stderr, "%ld moves\n", moves);
    free(line);
    fclose(file);
    return 0;
}
