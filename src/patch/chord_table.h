/*
 * The power law (44) of W&K on the chords of a disc of radius 1.
 *
 * On the chord at the distance q from the centre, of half length h, h^2 = 1 - q^2,
 *
 *   mu0(q) = int p(sqrt(q^2 + x^2)) dx,   mu2(q) = int x^2 p dx,   x from -h to h
 *
 * as polynomials on intervals, to 1e-14 for k >= 0.2.
 */
#ifndef BRISTLE_PATCH_CHORD_TABLE_H
#define BRISTLE_PATCH_CHORD_TABLE_H

enum { CHORD_DEGREE = 22, CHORD_INNER = 45, CHORD_OUTER = 44 };

// Chebyshev coefficients of both numbers on one interval.
typedef struct chord_piece {
    double mu0[CHORD_DEGREE], mu2[CHORD_DEGREE];
} chord_piece;

typedef struct chord_table {
    double k;     // exponent
    double layer; // the pressure falls to 0 within this 1 - rho^2; about 1/k
    int inners, outers;
    chord_piece inner[CHORD_INNER]; // in q, halving from 1/2 to 0
    chord_piece outer[CHORD_OUTER]; // in h^2, halving from 3/4 to 0; over powers of h
} chord_table;

void bri_chord_table_fill(chord_table* table, double k);

// mu0 and mu2 at q = sqrt(1 - h2), both given because each is accurate where the other is near 1.
void bri_chord_table_eval(const chord_table* table, double q, double h2, double* mu0, double* mu2);

#endif
