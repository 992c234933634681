package layout;

// Looks generated: 2,000 lines, many small members.
@SuppressWarnings("all")
public final class GeneratedTokens {

    static final int T_001 = 1;
    static final int T_002 = 2;
    static final int T_003 = 3;
    static final int T_004 = 4;
    static final int T_005 = 5;
    static final int T_006 = 6;
    static final int T_007 = 7;
    static final int T_008 = 8;
    static final int T_009 = 9;
    static final int T_010 = 10;
    static final int T_011 = 11;
    static final int T_012 = 12;
    static final int T_013 = 13;
    static final int T_014 = 14;
    static final int T_015 = 15;
    static final int T_016 = 16;
    static final int T_017 = 17;
    static final int T_018 = 18;
    static final int T_019 = 19;
    static final int T_020 = 20;
    static final int T_021 = 21;
    static final int T_022 = 22;
    static final int T_023 = 23;
    static final int T_024 = 24;
    static final int T_025 = 25;
    static final int T_026 = 26;
    static final int T_027 = 27;
    static final int T_028 = 28;
    static final int T_029 = 29;
    static final int T_030 = 30;
    static final int T_031 = 31;
    static final int T_032 = 32;
    static final int T_033 = 33;
    static final int T_034 = 34;
    static final int T_035 = 35;
    static final int T_036 = 36;
    static final int T_037 = 37;
    static final int T_038 = 38;
    static final int T_039 = 39;
    static final int T_040 = 40;
    static final int T_041 = 41;
    static final int T_042 = 42;
    static final int T_043 = 43;
    static final int T_044 = 44;
    static final int T_045 = 45;
    static final int T_046 = 46;
    static final int T_047 = 47;
    static final int T_048 = 48;
    static final int T_049 = 49;
    static final int T_050 = 50;
    static final int T_051 = 51;
    static final int T_052 = 52;
    static final int T_053 = 53;
    static final int T_054 = 54;
    static final int T_055 = 55;
    static final int T_056 = 56;
    static final int T_057 = 57;
    static final int T_058 = 58;
    static final int T_059 = 59;
    static final int T_060 = 60;
    static final int T_061 = 61;
    static final int T_062 = 62;
    static final int T_063 = 63;
    static final int T_064 = 64;
    static final int T_065 = 65;
    static final int T_066 = 66;
    static final int T_067 = 67;
    static final int T_068 = 68;
    static final int T_069 = 69;
    static final int T_070 = 70;
    static final int T_071 = 71;
    static final int T_072 = 72;
    static final int T_073 = 73;
    static final int T_074 = 74;
    static final int T_075 = 75;
    static final int T_076 = 76;
    static final int T_077 = 77;
    static final int T_078 = 78;
    static final int T_079 = 79;
    static final int T_080 = 80;
    static final int T_081 = 81;
    static final int T_082 = 82;
    static final int T_083 = 83;
    static final int T_084 = 84;
    static final int T_085 = 85;
    static final int T_086 = 86;
    static final int T_087 = 87;
    static final int T_088 = 88;
    static final int T_089 = 89;
    static final int T_090 = 90;
    static final int T_091 = 91;
    static final int T_092 = 92;
    static final int T_093 = 93;
    static final int T_094 = 94;
    static final int T_095 = 95;
    static final int T_096 = 96;
    static final int T_097 = 97;
    static final int T_098 = 98;
    static final int T_099 = 99;
    static final int T_100 = 100;
    static final int T_101 = 101;
    static final int T_102 = 102;
    static final int T_103 = 103;
    static final int T_104 = 104;
    static final int T_105 = 105;
    static final int T_106 = 106;
    static final int T_107 = 107;
    static final int T_108 = 108;
    static final int T_109 = 109;
    static final int T_110 = 110;
    static final int T_111 = 111;
    static final int T_112 = 112;
    static final int T_113 = 113;
    static final int T_114 = 114;
    static final int T_115 = 115;
    static final int T_116 = 116;
    static final int T_117 = 117;
    static final int T_118 = 118;
    static final int T_119 = 119;
    static final int T_120 = 120;
    static final int T_121 = 121;
    static final int T_122 = 122;
    static final int T_123 = 123;
    static final int T_124 = 124;
    static final int T_125 = 125;
    static final int T_126 = 126;
    static final int T_127 = 127;
    static final int T_128 = 128;
    static final int T_129 = 129;
    static final int T_130 = 130;
    static final int T_131 = 131;
    static final int T_132 = 132;
    static final int T_133 = 133;
    static final int T_134 = 134;
    static final int T_135 = 135;
    static final int T_136 = 136;
    static final int T_137 = 137;
    static final int T_138 = 138;
    static final int T_139 = 139;
    static final int T_140 = 140;
    static final int T_141 = 141;
    static final int T_142 = 142;
    static final int T_143 = 143;
    static final int T_144 = 144;
    static final int T_145 = 145;
    static final int T_146 = 146;
    static final int T_147 = 147;
    static final int T_148 = 148;
    static final int T_149 = 149;
    static final int T_150 = 150;
    static final int T_151 = 151;
    static final int T_152 = 152;
    static final int T_153 = 153;
    static final int T_154 = 154;
    static final int T_155 = 155;
    static final int T_156 = 156;
    static final int T_157 = 157;
    static final int T_158 = 158;
    static final int T_159 = 159;
    static final int T_160 = 160;
    static final int T_161 = 161;
    static final int T_162 = 162;
    static final int T_163 = 163;
    static final int T_164 = 164;
    static final int T_165 = 165;
    static final int T_166 = 166;
    static final int T_167 = 167;
    static final int T_168 = 168;
    static final int T_169 = 169;
    static final int T_170 = 170;
    static final int T_171 = 171;
    static final int T_172 = 172;
    static final int T_173 = 173;
    static final int T_174 = 174;
    static final int T_175 = 175;
    static final int T_176 = 176;
    static final int T_177 = 177;
    static final int T_178 = 178;
    static final int T_179 = 179;
    static final int T_180 = 180;
    static final int T_181 = 181;
    static final int T_182 = 182;
    static final int T_183 = 183;
    static final int T_184 = 184;
    static final int T_185 = 185;
    static final int T_186 = 186;
    static final int T_187 = 187;
    static final int T_188 = 188;
    static final int T_189 = 189;
    static final int T_190 = 190;
    static final int T_191 = 191;
    static final int T_192 = 192;
    static final int T_193 = 193;
    static final int T_194 = 194;
    static final int T_195 = 195;
    static final int T_196 = 196;
    static final int T_197 = 197;
    static final int T_198 = 198;
    static final int T_199 = 199;
    static final int T_200 = 200;
    static final int T_201 = 201;
    static final int T_202 = 202;
    static final int T_203 = 203;
    static final int T_204 = 204;
    static final int T_205 = 205;
    static final int T_206 = 206;
    static final int T_207 = 207;
    static final int T_208 = 208;
    static final int T_209 = 209;
    static final int T_210 = 210;
    static final int T_211 = 211;
    static final int T_212 = 212;
    static final int T_213 = 213;
    static final int T_214 = 214;
    static final int T_215 = 215;
    static final int T_216 = 216;
    static final int T_217 = 217;
    static final int T_218 = 218;
    static final int T_219 = 219;
    static final int T_220 = 220;
    static final int T_221 = 221;
    static final int T_222 = 222;
    static final int T_223 = 223;
    static final int T_224 = 224;
    static final int T_225 = 225;
    static final int T_226 = 226;
    static final int T_227 = 227;
    static final int T_228 = 228;
    static final int T_229 = 229;
    static final int T_230 = 230;
    static final int T_231 = 231;
    static final int T_232 = 232;
    static final int T_233 = 233;
    static final int T_234 = 234;
    static final int T_235 = 235;
    static final int T_236 = 236;
    static final int T_237 = 237;
    static final int T_238 = 238;
    static final int T_239 = 239;
    static final int T_240 = 240;
    static final int T_241 = 241;
    static final int T_242 = 242;
    static final int T_243 = 243;
    static final int T_244 = 244;
    static final int T_245 = 245;
    static final int T_246 = 246;
    static final int T_247 = 247;
    static final int T_248 = 248;
    static final int T_249 = 249;
    static final int T_250 = 250;
    static final int T_251 = 251;
    static final int T_252 = 252;
    static final int T_253 = 253;
    static final int T_254 = 254;
    static final int T_255 = 255;
    static final int T_256 = 256;
    static final int T_257 = 257;
    static final int T_258 = 258;
    static final int T_259 = 259;
    static final int T_260 = 260;
    static final int T_261 = 261;
    static final int T_262 = 262;
    static final int T_263 = 263;
    static final int T_264 = 264;
    static final int T_265 = 265;
    static final int T_266 = 266;
    static final int T_267 = 267;
    static final int T_268 = 268;
    static final int T_269 = 269;
    static final int T_270 = 270;
    static final int T_271 = 271;
    static final int T_272 = 272;
    static final int T_273 = 273;
    static final int T_274 = 274;
    static final int T_275 = 275;
    static final int T_276 = 276;
    static final int T_277 = 277;
    static final int T_278 = 278;
    static final int T_279 = 279;
    static final int T_280 = 280;
    static final int T_281 = 281;
    static final int T_282 = 282;
    static final int T_283 = 283;
    static final int T_284 = 284;
    static final int T_285 = 285;
    static final int T_286 = 286;
    static final int T_287 = 287;
    static final int T_288 = 288;
    static final int T_289 = 289;
    static final int T_290 = 290;
    static final int T_291 = 291;
    static final int T_292 = 292;
    static final int T_293 = 293;
    static final int T_294 = 294;
    static final int T_295 = 295;
    static final int T_296 = 296;
    static final int T_297 = 297;
    static final int T_298 = 298;
    static final int T_299 = 299;
    static final int T_300 = 300;
    static final int T_301 = 301;
    static final int T_302 = 302;
    static final int T_303 = 303;
    static final int T_304 = 304;
    static final int T_305 = 305;
    static final int T_306 = 306;
    static final int T_307 = 307;
    static final int T_308 = 308;
    static final int T_309 = 309;
    static final int T_310 = 310;
    static final int T_311 = 311;
    static final int T_312 = 312;
    static final int T_313 = 313;
    static final int T_314 = 314;
    static final int T_315 = 315;
    static final int T_316 = 316;
    static final int T_317 = 317;
    static final int T_318 = 318;
    static final int T_319 = 319;
    static final int T_320 = 320;
    static final int T_321 = 321;
    static final int T_322 = 322;
    static final int T_323 = 323;
    static final int T_324 = 324;
    static final int T_325 = 325;
    static final int T_326 = 326;
    static final int T_327 = 327;
    static final int T_328 = 328;
    static final int T_329 = 329;
    static final int T_330 = 330;
    static final int T_331 = 331;
    static final int T_332 = 332;
    static final int T_333 = 333;
    static final int T_334 = 334;
    static final int T_335 = 335;
    static final int T_336 = 336;
    static final int T_337 = 337;
    static final int T_338 = 338;
    static final int T_339 = 339;
    static final int T_340 = 340;
    static final int T_341 = 341;
    static final int T_342 = 342;
    static final int T_343 = 343;
    static final int T_344 = 344;
    static final int T_345 = 345;
    static final int T_346 = 346;
    static final int T_347 = 347;
    static final int T_348 = 348;
    static final int T_349 = 349;
    static final int T_350 = 350;
    static final int T_351 = 351;
    static final int T_352 = 352;
    static final int T_353 = 353;
    static final int T_354 = 354;
    static final int T_355 = 355;
    static final int T_356 = 356;
    static final int T_357 = 357;
    static final int T_358 = 358;
    static final int T_359 = 359;
    static final int T_360 = 360;
    static final int T_361 = 361;
    static final int T_362 = 362;
    static final int T_363 = 363;
    static final int T_364 = 364;
    static final int T_365 = 365;
    static final int T_366 = 366;
    static final int T_367 = 367;
    static final int T_368 = 368;
    static final int T_369 = 369;
    static final int T_370 = 370;
    static final int T_371 = 371;
    static final int T_372 = 372;
    static final int T_373 = 373;
    static final int T_374 = 374;
    static final int T_375 = 375;
    static final int T_376 = 376;
    static final int T_377 = 377;
    static final int T_378 = 378;
    static final int T_379 = 379;
    static final int T_380 = 380;
    static final int T_381 = 381;
    static final int T_382 = 382;
    static final int T_383 = 383;
    static final int T_384 = 384;
    static final int T_385 = 385;
    static final int T_386 = 386;
    static final int T_387 = 387;
    static final int T_388 = 388;
    static final int T_389 = 389;
    static final int T_390 = 390;
    static final int T_391 = 391;
    static final int T_392 = 392;
    static final int T_393 = 393;
    static final int T_394 = 394;
    static final int T_395 = 395;
    static final int T_396 = 396;
    static final int T_397 = 397;
    static final int T_398 = 398;
    static final int T_399 = 399;
    static final int T_400 = 400;
    static final int T_401 = 401;
    static final int T_402 = 402;
    static final int T_403 = 403;
    static final int T_404 = 404;
    static final int T_405 = 405;
    static final int T_406 = 406;
    static final int T_407 = 407;
    static final int T_408 = 408;
    static final int T_409 = 409;
    static final int T_410 = 410;
    static final int T_411 = 411;
    static final int T_412 = 412;
    static final int T_413 = 413;
    static final int T_414 = 414;
    static final int T_415 = 415;
    static final int T_416 = 416;
    static final int T_417 = 417;
    static final int T_418 = 418;
    static final int T_419 = 419;
    static final int T_420 = 420;
    static final int T_421 = 421;
    static final int T_422 = 422;
    static final int T_423 = 423;
    static final int T_424 = 424;
    static final int T_425 = 425;
    static final int T_426 = 426;
    static final int T_427 = 427;
    static final int T_428 = 428;
    static final int T_429 = 429;
    static final int T_430 = 430;
    static final int T_431 = 431;
    static final int T_432 = 432;
    static final int T_433 = 433;
    static final int T_434 = 434;
    static final int T_435 = 435;
    static final int T_436 = 436;
    static final int T_437 = 437;
    static final int T_438 = 438;
    static final int T_439 = 439;
    static final int T_440 = 440;
    static final int T_441 = 441;
    static final int T_442 = 442;
    static final int T_443 = 443;
    static final int T_444 = 444;
    static final int T_445 = 445;
    static final int T_446 = 446;
    static final int T_447 = 447;
    static final int T_448 = 448;
    static final int T_449 = 449;
    static final int T_450 = 450;
    static final int T_451 = 451;
    static final int T_452 = 452;
    static final int T_453 = 453;
    static final int T_454 = 454;
    static final int T_455 = 455;
    static final int T_456 = 456;
    static final int T_457 = 457;
    static final int T_458 = 458;
    static final int T_459 = 459;
    static final int T_460 = 460;
    static final int T_461 = 461;
    static final int T_462 = 462;
    static final int T_463 = 463;
    static final int T_464 = 464;
    static final int T_465 = 465;
    static final int T_466 = 466;
    static final int T_467 = 467;
    static final int T_468 = 468;
    static final int T_469 = 469;
    static final int T_470 = 470;
    static final int T_471 = 471;
    static final int T_472 = 472;
    static final int T_473 = 473;
    static final int T_474 = 474;
    static final int T_475 = 475;
    static final int T_476 = 476;
    static final int T_477 = 477;
    static final int T_478 = 478;
    static final int T_479 = 479;
    static final int T_480 = 480;
    static final int T_481 = 481;
    static final int T_482 = 482;
    static final int T_483 = 483;
    static final int T_484 = 484;
    static final int T_485 = 485;
    static final int T_486 = 486;
    static final int T_487 = 487;
    static final int T_488 = 488;
    static final int T_489 = 489;
    static final int T_490 = 490;
    static final int T_491 = 491;
    static final int T_492 = 492;
    static final int T_493 = 493;
    static final int T_494 = 494;
    static final int T_495 = 495;
    static final int T_496 = 496;
    static final int T_497 = 497;
    static final int T_498 = 498;
    static final int T_499 = 499;
    static final int T_500 = 500;
    static final int T_501 = 501;
    static final int T_502 = 502;
    static final int T_503 = 503;
    static final int T_504 = 504;
    static final int T_505 = 505;
    static final int T_506 = 506;
    static final int T_507 = 507;
    static final int T_508 = 508;
    static final int T_509 = 509;
    static final int T_510 = 510;
    static final int T_511 = 511;
    static final int T_512 = 512;
    static final int T_513 = 513;
    static final int T_514 = 514;
    static final int T_515 = 515;
    static final int T_516 = 516;
    static final int T_517 = 517;
    static final int T_518 = 518;
    static final int T_519 = 519;
    static final int T_520 = 520;
    static final int T_521 = 521;
    static final int T_522 = 522;
    static final int T_523 = 523;
    static final int T_524 = 524;
    static final int T_525 = 525;
    static final int T_526 = 526;
    static final int T_527 = 527;
    static final int T_528 = 528;
    static final int T_529 = 529;
    static final int T_530 = 530;
    static final int T_531 = 531;
    static final int T_532 = 532;
    static final int T_533 = 533;
    static final int T_534 = 534;
    static final int T_535 = 535;
    static final int T_536 = 536;
    static final int T_537 = 537;
    static final int T_538 = 538;
    static final int T_539 = 539;
    static final int T_540 = 540;
    static final int T_541 = 541;
    static final int T_542 = 542;
    static final int T_543 = 543;
    static final int T_544 = 544;
    static final int T_545 = 545;
    static final int T_546 = 546;
    static final int T_547 = 547;
    static final int T_548 = 548;
    static final int T_549 = 549;
    static final int T_550 = 550;
    static final int T_551 = 551;
    static final int T_552 = 552;
    static final int T_553 = 553;
    static final int T_554 = 554;
    static final int T_555 = 555;
    static final int T_556 = 556;
    static final int T_557 = 557;
    static final int T_558 = 558;
    static final int T_559 = 559;
    static final int T_560 = 560;
    static final int T_561 = 561;
    static final int T_562 = 562;
    static final int T_563 = 563;
    static final int T_564 = 564;
    static final int T_565 = 565;
    static final int T_566 = 566;
    static final int T_567 = 567;
    static final int T_568 = 568;
    static final int T_569 = 569;
    static final int T_570 = 570;
    static final int T_571 = 571;
    static final int T_572 = 572;
    static final int T_573 = 573;
    static final int T_574 = 574;
    static final int T_575 = 575;
    static final int T_576 = 576;
    static final int T_577 = 577;
    static final int T_578 = 578;
    static final int T_579 = 579;
    static final int T_580 = 580;
    static final int T_581 = 581;
    static final int T_582 = 582;
    static final int T_583 = 583;
    static final int T_584 = 584;
    static final int T_585 = 585;
    static final int T_586 = 586;
    static final int T_587 = 587;
    static final int T_588 = 588;
    static final int T_589 = 589;
    static final int T_590 = 590;
    static final int T_591 = 591;
    static final int T_592 = 592;
    static final int T_593 = 593;
    static final int T_594 = 594;
    static final int T_595 = 595;
    static final int T_596 = 596;
    static final int T_597 = 597;
    static final int T_598 = 598;
    static final int T_599 = 599;
    static final int T_600 = 600;
    int rule001(int t) {
        return t + T_001;
    }
    int rule002(int t) {
        return t + T_002;
    }
    int rule003(int t) {
        return t + T_003;
    }
    int rule004(int t) {
        return t + T_004;
    }
    int rule005(int t) {
        return t + T_005;
    }
    int rule006(int t) {
        return t + T_006;
    }
    int rule007(int t) {
        return t + T_007;
    }
    int rule008(int t) {
        return t + T_008;
    }
    int rule009(int t) {
        return t + T_009;
    }
    int rule010(int t) {
        return t + T_010;
    }
    int rule011(int t) {
        return t + T_011;
    }
    int rule012(int t) {
        return t + T_012;
    }
    int rule013(int t) {
        return t + T_013;
    }
    int rule014(int t) {
        return t + T_014;
    }
    int rule015(int t) {
        return t + T_015;
    }
    int rule016(int t) {
        return t + T_016;
    }
    int rule017(int t) {
        return t + T_017;
    }
    int rule018(int t) {
        return t + T_018;
    }
    int rule019(int t) {
        return t + T_019;
    }
    int rule020(int t) {
        return t + T_020;
    }
    int rule021(int t) {
        return t + T_021;
    }
    int rule022(int t) {
        return t + T_022;
    }
    int rule023(int t) {
        return t + T_023;
    }
    int rule024(int t) {
        return t + T_024;
    }
    int rule025(int t) {
        return t + T_025;
    }
    int rule026(int t) {
        return t + T_026;
    }
    int rule027(int t) {
        return t + T_027;
    }
    int rule028(int t) {
        return t + T_028;
    }
    int rule029(int t) {
        return t + T_029;
    }
    int rule030(int t) {
        return t + T_030;
    }
    int rule031(int t) {
        return t + T_031;
    }
    int rule032(int t) {
        return t + T_032;
    }
    int rule033(int t) {
        return t + T_033;
    }
    int rule034(int t) {
        return t + T_034;
    }
    int rule035(int t) {
        return t + T_035;
    }
    int rule036(int t) {
        return t + T_036;
    }
    int rule037(int t) {
        return t + T_037;
    }
    int rule038(int t) {
        return t + T_038;
    }
    int rule039(int t) {
        return t + T_039;
    }
    int rule040(int t) {
        return t + T_040;
    }
    int rule041(int t) {
        return t + T_041;
    }
    int rule042(int t) {
        return t + T_042;
    }
    int rule043(int t) {
        return t + T_043;
    }
    int rule044(int t) {
        return t + T_044;
    }
    int rule045(int t) {
        return t + T_045;
    }
    int rule046(int t) {
        return t + T_046;
    }
    int rule047(int t) {
        return t + T_047;
    }
    int rule048(int t) {
        return t + T_048;
    }
    int rule049(int t) {
        return t + T_049;
    }
    int rule050(int t) {
        return t + T_050;
    }
    int rule051(int t) {
        return t + T_051;
    }
    int rule052(int t) {
        return t + T_052;
    }
    int rule053(int t) {
        return t + T_053;
    }
    int rule054(int t) {
        return t + T_054;
    }
    int rule055(int t) {
        return t + T_055;
    }
    int rule056(int t) {
        return t + T_056;
    }
    int rule057(int t) {
        return t + T_057;
    }
    int rule058(int t) {
        return t + T_058;
    }
    int rule059(int t) {
        return t + T_059;
    }
    int rule060(int t) {
        return t + T_060;
    }
    int rule061(int t) {
        return t + T_061;
    }
    int rule062(int t) {
        return t + T_062;
    }
    int rule063(int t) {
        return t + T_063;
    }
    int rule064(int t) {
        return t + T_064;
    }
    int rule065(int t) {
        return t + T_065;
    }
    int rule066(int t) {
        return t + T_066;
    }
    int rule067(int t) {
        return t + T_067;
    }
    int rule068(int t) {
        return t + T_068;
    }
    int rule069(int t) {
        return t + T_069;
    }
    int rule070(int t) {
        return t + T_070;
    }
    int rule071(int t) {
        return t + T_071;
    }
    int rule072(int t) {
        return t + T_072;
    }
    int rule073(int t) {
        return t + T_073;
    }
    int rule074(int t) {
        return t + T_074;
    }
    int rule075(int t) {
        return t + T_075;
    }
    int rule076(int t) {
        return t + T_076;
    }
    int rule077(int t) {
        return t + T_077;
    }
    int rule078(int t) {
        return t + T_078;
    }
    int rule079(int t) {
        return t + T_079;
    }
    int rule080(int t) {
        return t + T_080;
    }
    int rule081(int t) {
        return t + T_081;
    }
    int rule082(int t) {
        return t + T_082;
    }
    int rule083(int t) {
        return t + T_083;
    }
    int rule084(int t) {
        return t + T_084;
    }
    int rule085(int t) {
        return t + T_085;
    }
    int rule086(int t) {
        return t + T_086;
    }
    int rule087(int t) {
        return t + T_087;
    }
    int rule088(int t) {
        return t + T_088;
    }
    int rule089(int t) {
        return t + T_089;
    }
    int rule090(int t) {
        return t + T_090;
    }
    int rule091(int t) {
        return t + T_091;
    }
    int rule092(int t) {
        return t + T_092;
    }
    int rule093(int t) {
        return t + T_093;
    }
    int rule094(int t) {
        return t + T_094;
    }
    int rule095(int t) {
        return t + T_095;
    }
    int rule096(int t) {
        return t + T_096;
    }
    int rule097(int t) {
        return t + T_097;
    }
    int rule098(int t) {
        return t + T_098;
    }
    int rule099(int t) {
        return t + T_099;
    }
    int rule100(int t) {
        return t + T_100;
    }
    int rule101(int t) {
        return t + T_101;
    }
    int rule102(int t) {
        return t + T_102;
    }
    int rule103(int t) {
        return t + T_103;
    }
    int rule104(int t) {
        return t + T_104;
    }
    int rule105(int t) {
        return t + T_105;
    }
    int rule106(int t) {
        return t + T_106;
    }
    int rule107(int t) {
        return t + T_107;
    }
    int rule108(int t) {
        return t + T_108;
    }
    int rule109(int t) {
        return t + T_109;
    }
    int rule110(int t) {
        return t + T_110;
    }
    int rule111(int t) {
        return t + T_111;
    }
    int rule112(int t) {
        return t + T_112;
    }
    int rule113(int t) {
        return t + T_113;
    }
    int rule114(int t) {
        return t + T_114;
    }
    int rule115(int t) {
        return t + T_115;
    }
    int rule116(int t) {
        return t + T_116;
    }
    int rule117(int t) {
        return t + T_117;
    }
    int rule118(int t) {
        return t + T_118;
    }
    int rule119(int t) {
        return t + T_119;
    }
    int rule120(int t) {
        return t + T_120;
    }
    int rule121(int t) {
        return t + T_121;
    }
    int rule122(int t) {
        return t + T_122;
    }
    int rule123(int t) {
        return t + T_123;
    }
    int rule124(int t) {
        return t + T_124;
    }
    int rule125(int t) {
        return t + T_125;
    }
    int rule126(int t) {
        return t + T_126;
    }
    int rule127(int t) {
        return t + T_127;
    }
    int rule128(int t) {
        return t + T_128;
    }
    int rule129(int t) {
        return t + T_129;
    }
    int rule130(int t) {
        return t + T_130;
    }
    int rule131(int t) {
        return t + T_131;
    }
    int rule132(int t) {
        return t + T_132;
    }
    int rule133(int t) {
        return t + T_133;
    }
    int rule134(int t) {
        return t + T_134;
    }
    int rule135(int t) {
        return t + T_135;
    }
    int rule136(int t) {
        return t + T_136;
    }
    int rule137(int t) {
        return t + T_137;
    }
    int rule138(int t) {
        return t + T_138;
    }
    int rule139(int t) {
        return t + T_139;
    }
    int rule140(int t) {
        return t + T_140;
    }
    int rule141(int t) {
        return t + T_141;
    }
    int rule142(int t) {
        return t + T_142;
    }
    int rule143(int t) {
        return t + T_143;
    }
    int rule144(int t) {
        return t + T_144;
    }
    int rule145(int t) {
        return t + T_145;
    }
    int rule146(int t) {
        return t + T_146;
    }
    int rule147(int t) {
        return t + T_147;
    }
    int rule148(int t) {
        return t + T_148;
    }
    int rule149(int t) {
        return t + T_149;
    }
    int rule150(int t) {
        return t + T_150;
    }
    int rule151(int t) {
        return t + T_151;
    }
    int rule152(int t) {
        return t + T_152;
    }
    int rule153(int t) {
        return t + T_153;
    }
    int rule154(int t) {
        return t + T_154;
    }
    int rule155(int t) {
        return t + T_155;
    }
    int rule156(int t) {
        return t + T_156;
    }
    int rule157(int t) {
        return t + T_157;
    }
    int rule158(int t) {
        return t + T_158;
    }
    int rule159(int t) {
        return t + T_159;
    }
    int rule160(int t) {
        return t + T_160;
    }
    int rule161(int t) {
        return t + T_161;
    }
    int rule162(int t) {
        return t + T_162;
    }
    int rule163(int t) {
        return t + T_163;
    }
    int rule164(int t) {
        return t + T_164;
    }
    int rule165(int t) {
        return t + T_165;
    }
    int rule166(int t) {
        return t + T_166;
    }
    int rule167(int t) {
        return t + T_167;
    }
    int rule168(int t) {
        return t + T_168;
    }
    int rule169(int t) {
        return t + T_169;
    }
    int rule170(int t) {
        return t + T_170;
    }
    int rule171(int t) {
        return t + T_171;
    }
    int rule172(int t) {
        return t + T_172;
    }
    int rule173(int t) {
        return t + T_173;
    }
    int rule174(int t) {
        return t + T_174;
    }
    int rule175(int t) {
        return t + T_175;
    }
    int rule176(int t) {
        return t + T_176;
    }
    int rule177(int t) {
        return t + T_177;
    }
    int rule178(int t) {
        return t + T_178;
    }
    int rule179(int t) {
        return t + T_179;
    }
    int rule180(int t) {
        return t + T_180;
    }
    int rule181(int t) {
        return t + T_181;
    }
    int rule182(int t) {
        return t + T_182;
    }
    int rule183(int t) {
        return t + T_183;
    }
    int rule184(int t) {
        return t + T_184;
    }
    int rule185(int t) {
        return t + T_185;
    }
    int rule186(int t) {
        return t + T_186;
    }
    int rule187(int t) {
        return t + T_187;
    }
    int rule188(int t) {
        return t + T_188;
    }
    int rule189(int t) {
        return t + T_189;
    }
    int rule190(int t) {
        return t + T_190;
    }
    int rule191(int t) {
        return t + T_191;
    }
    int rule192(int t) {
        return t + T_192;
    }
    int rule193(int t) {
        return t + T_193;
    }
    int rule194(int t) {
        return t + T_194;
    }
    int rule195(int t) {
        return t + T_195;
    }
    int rule196(int t) {
        return t + T_196;
    }
    int rule197(int t) {
        return t + T_197;
    }
    int rule198(int t) {
        return t + T_198;
    }
    int rule199(int t) {
        return t + T_199;
    }
    int rule200(int t) {
        return t + T_200;
    }
    int rule201(int t) {
        return t + T_201;
    }
    int rule202(int t) {
        return t + T_202;
    }
    int rule203(int t) {
        return t + T_203;
    }
    int rule204(int t) {
        return t + T_204;
    }
    int rule205(int t) {
        return t + T_205;
    }
    int rule206(int t) {
        return t + T_206;
    }
    int rule207(int t) {
        return t + T_207;
    }
    int rule208(int t) {
        return t + T_208;
    }
    int rule209(int t) {
        return t + T_209;
    }
    int rule210(int t) {
        return t + T_210;
    }
    int rule211(int t) {
        return t + T_211;
    }
    int rule212(int t) {
        return t + T_212;
    }
    int rule213(int t) {
        return t + T_213;
    }
    int rule214(int t) {
        return t + T_214;
    }
    int rule215(int t) {
        return t + T_215;
    }
    int rule216(int t) {
        return t + T_216;
    }
    int rule217(int t) {
        return t + T_217;
    }
    int rule218(int t) {
        return t + T_218;
    }
    int rule219(int t) {
        return t + T_219;
    }
    int rule220(int t) {
        return t + T_220;
    }
    int rule221(int t) {
        return t + T_221;
    }
    int rule222(int t) {
        return t + T_222;
    }
    int rule223(int t) {
        return t + T_223;
    }
    int rule224(int t) {
        return t + T_224;
    }
    int rule225(int t) {
        return t + T_225;
    }
    int rule226(int t) {
        return t + T_226;
    }
    int rule227(int t) {
        return t + T_227;
    }
    int rule228(int t) {
        return t + T_228;
    }
    int rule229(int t) {
        return t + T_229;
    }
    int rule230(int t) {
        return t + T_230;
    }
    int rule231(int t) {
        return t + T_231;
    }
    int rule232(int t) {
        return t + T_232;
    }
    int rule233(int t) {
        return t + T_233;
    }
    int rule234(int t) {
        return t + T_234;
    }
    int rule235(int t) {
        return t + T_235;
    }
    int rule236(int t) {
        return t + T_236;
    }
    int rule237(int t) {
        return t + T_237;
    }
    int rule238(int t) {
        return t + T_238;
    }
    int rule239(int t) {
        return t + T_239;
    }
    int rule240(int t) {
        return t + T_240;
    }
    int rule241(int t) {
        return t + T_241;
    }
    int rule242(int t) {
        return t + T_242;
    }
    int rule243(int t) {
        return t + T_243;
    }
    int rule244(int t) {
        return t + T_244;
    }
    int rule245(int t) {
        return t + T_245;
    }
    int rule246(int t) {
        return t + T_246;
    }
    int rule247(int t) {
        return t + T_247;
    }
    int rule248(int t) {
        return t + T_248;
    }
    int rule249(int t) {
        return t + T_249;
    }
    int rule250(int t) {
        return t + T_250;
    }
    int rule251(int t) {
        return t + T_251;
    }
    int rule252(int t) {
        return t + T_252;
    }
    int rule253(int t) {
        return t + T_253;
    }
    int rule254(int t) {
        return t + T_254;
    }
    int rule255(int t) {
        return t + T_255;
    }
    int rule256(int t) {
        return t + T_256;
    }
    int rule257(int t) {
        return t + T_257;
    }
    int rule258(int t) {
        return t + T_258;
    }
    int rule259(int t) {
        return t + T_259;
    }
    int rule260(int t) {
        return t + T_260;
    }
    int rule261(int t) {
        return t + T_261;
    }
    int rule262(int t) {
        return t + T_262;
    }
    int rule263(int t) {
        return t + T_263;
    }
    int rule264(int t) {
        return t + T_264;
    }
    int rule265(int t) {
        return t + T_265;
    }
    int rule266(int t) {
        return t + T_266;
    }
    int rule267(int t) {
        return t + T_267;
    }
    int rule268(int t) {
        return t + T_268;
    }
    int rule269(int t) {
        return t + T_269;
    }
    int rule270(int t) {
        return t + T_270;
    }
    int rule271(int t) {
        return t + T_271;
    }
    int rule272(int t) {
        return t + T_272;
    }
    int rule273(int t) {
        return t + T_273;
    }
    int rule274(int t) {
        return t + T_274;
    }
    int rule275(int t) {
        return t + T_275;
    }
    int rule276(int t) {
        return t + T_276;
    }
    int rule277(int t) {
        return t + T_277;
    }
    int rule278(int t) {
        return t + T_278;
    }
    int rule279(int t) {
        return t + T_279;
    }
    int rule280(int t) {
        return t + T_280;
    }
    int rule281(int t) {
        return t + T_281;
    }
    int rule282(int t) {
        return t + T_282;
    }
    int rule283(int t) {
        return t + T_283;
    }
    int rule284(int t) {
        return t + T_284;
    }
    int rule285(int t) {
        return t + T_285;
    }
    int rule286(int t) {
        return t + T_286;
    }
    int rule287(int t) {
        return t + T_287;
    }
    int rule288(int t) {
        return t + T_288;
    }
    int rule289(int t) {
        return t + T_289;
    }
    int rule290(int t) {
        return t + T_290;
    }
    int rule291(int t) {
        return t + T_291;
    }
    int rule292(int t) {
        return t + T_292;
    }
    int rule293(int t) {
        return t + T_293;
    }
    int rule294(int t) {
        return t + T_294;
    }
    int rule295(int t) {
        return t + T_295;
    }
    int rule296(int t) {
        return t + T_296;
    }
    int rule297(int t) {
        return t + T_297;
    }
    int rule298(int t) {
        return t + T_298;
    }
    int rule299(int t) {
        return t + T_299;
    }
    int rule300(int t) {
        return t + T_300;
    }
    int rule301(int t) {
        return t + T_301;
    }
    int rule302(int t) {
        return t + T_302;
    }
    int rule303(int t) {
        return t + T_303;
    }
    int rule304(int t) {
        return t + T_304;
    }
    int rule305(int t) {
        return t + T_305;
    }
    int rule306(int t) {
        return t + T_306;
    }
    int rule307(int t) {
        return t + T_307;
    }
    int rule308(int t) {
        return t + T_308;
    }
    int rule309(int t) {
        return t + T_309;
    }
    int rule310(int t) {
        return t + T_310;
    }
    int rule311(int t) {
        return t + T_311;
    }
    int rule312(int t) {
        return t + T_312;
    }
    int rule313(int t) {
        return t + T_313;
    }
    int rule314(int t) {
        return t + T_314;
    }
    int rule315(int t) {
        return t + T_315;
    }
    int rule316(int t) {
        return t + T_316;
    }
    int rule317(int t) {
        return t + T_317;
    }
    int rule318(int t) {
        return t + T_318;
    }
    int rule319(int t) {
        return t + T_319;
    }
    int rule320(int t) {
        return t + T_320;
    }
    int rule321(int t) {
        return t + T_321;
    }
    int rule322(int t) {
        return t + T_322;
    }
    int rule323(int t) {
        return t + T_323;
    }
    int rule324(int t) {
        return t + T_324;
    }
    int rule325(int t) {
        return t + T_325;
    }
    int rule326(int t) {
        return t + T_326;
    }
    int rule327(int t) {
        return t + T_327;
    }
    int rule328(int t) {
        return t + T_328;
    }
    int rule329(int t) {
        return t + T_329;
    }
    int rule330(int t) {
        return t + T_330;
    }
    int rule331(int t) {
        return t + T_331;
    }
    int rule332(int t) {
        return t + T_332;
    }
    int rule333(int t) {
        return t + T_333;
    }
    int rule334(int t) {
        return t + T_334;
    }
    int rule335(int t) {
        return t + T_335;
    }
    int rule336(int t) {
        return t + T_336;
    }
    int rule337(int t) {
        return t + T_337;
    }
    int rule338(int t) {
        return t + T_338;
    }
    int rule339(int t) {
        return t + T_339;
    }
    int rule340(int t) {
        return t + T_340;
    }
    int rule341(int t) {
        return t + T_341;
    }
    int rule342(int t) {
        return t + T_342;
    }
    int rule343(int t) {
        return t + T_343;
    }
    int rule344(int t) {
        return t + T_344;
    }
    int rule345(int t) {
        return t + T_345;
    }
    int rule346(int t) {
        return t + T_346;
    }
    int rule347(int t) {
        return t + T_347;
    }
    int rule348(int t) {
        return t + T_348;
    }
    int rule349(int t) {
        return t + T_349;
    }
    int rule350(int t) {
        return t + T_350;
    }
    int rule351(int t) {
        return t + T_351;
    }
    int rule352(int t) {
        return t + T_352;
    }
    int rule353(int t) {
        return t + T_353;
    }
    int rule354(int t) {
        return t + T_354;
    }
    int rule355(int t) {
        return t + T_355;
    }
    int rule356(int t) {
        return t + T_356;
    }
    int rule357(int t) {
        return t + T_357;
    }
    int rule358(int t) {
        return t + T_358;
    }
    int rule359(int t) {
        return t + T_359;
    }
    int rule360(int t) {
        return t + T_360;
    }
    int rule361(int t) {
        return t + T_361;
    }
    int rule362(int t) {
        return t + T_362;
    }
    int rule363(int t) {
        return t + T_363;
    }
    int rule364(int t) {
        return t + T_364;
    }
    int rule365(int t) {
        return t + T_365;
    }
    int rule366(int t) {
        return t + T_366;
    }
    int rule367(int t) {
        return t + T_367;
    }
    int rule368(int t) {
        return t + T_368;
    }
    int rule369(int t) {
        return t + T_369;
    }
    int rule370(int t) {
        return t + T_370;
    }
    int rule371(int t) {
        return t + T_371;
    }
    int rule372(int t) {
        return t + T_372;
    }
    int rule373(int t) {
        return t + T_373;
    }
    int rule374(int t) {
        return t + T_374;
    }
    int rule375(int t) {
        return t + T_375;
    }
    int rule376(int t) {
        return t + T_376;
    }
    int rule377(int t) {
        return t + T_377;
    }
    int rule378(int t) {
        return t + T_378;
    }
    int rule379(int t) {
        return t + T_379;
    }
    int rule380(int t) {
        return t + T_380;
    }
    int rule381(int t) {
        return t + T_381;
    }
    int rule382(int t) {
        return t + T_382;
    }
    int rule383(int t) {
        return t + T_383;
    }
    int rule384(int t) {
        return t + T_384;
    }
    int rule385(int t) {
        return t + T_385;
    }
    int rule386(int t) {
        return t + T_386;
    }
    int rule387(int t) {
        return t + T_387;
    }
    int rule388(int t) {
        return t + T_388;
    }
    int rule389(int t) {
        return t + T_389;
    }
    int rule390(int t) {
        return t + T_390;
    }
    int rule391(int t) {
        return t + T_391;
    }
    int rule392(int t) {
        return t + T_392;
    }
    int rule393(int t) {
        return t + T_393;
    }
    int rule394(int t) {
        return t + T_394;
    }
    int rule395(int t) {
        return t + T_395;
    }
    int rule396(int t) {
        return t + T_396;
    }
    int rule397(int t) {
        return t + T_397;
    }
    int rule398(int t) {
        return t + T_398;
    }
    int rule399(int t) {
        return t + T_399;
    }
    int rule400(int t) {
        return t + T_400;
    }
    int rule401(int t) {
        return t + T_401;
    }
    int rule402(int t) {
        return t + T_402;
    }
    int rule403(int t) {
        return t + T_403;
    }
    int rule404(int t) {
        return t + T_404;
    }
    int rule405(int t) {
        return t + T_405;
    }
    int rule406(int t) {
        return t + T_406;
    }
    int rule407(int t) {
        return t + T_407;
    }
    int rule408(int t) {
        return t + T_408;
    }
    int rule409(int t) {
        return t + T_409;
    }
    int rule410(int t) {
        return t + T_410;
    }
    int rule411(int t) {
        return t + T_411;
    }
    int rule412(int t) {
        return t + T_412;
    }
    int rule413(int t) {
        return t + T_413;
    }
    int rule414(int t) {
        return t + T_414;
    }
    int rule415(int t) {
        return t + T_415;
    }
    int rule416(int t) {
        return t + T_416;
    }
    int rule417(int t) {
        return t + T_417;
    }
    int rule418(int t) {
        return t + T_418;
    }
    int rule419(int t) {
        return t + T_419;
    }
    int rule420(int t) {
        return t + T_420;
    }
    int rule421(int t) {
        return t + T_421;
    }
    int rule422(int t) {
        return t + T_422;
    }
    int rule423(int t) {
        return t + T_423;
    }
    int rule424(int t) {
        return t + T_424;
    }
    int rule425(int t) {
        return t + T_425;
    }
    int rule426(int t) {
        return t + T_426;
    }
    int rule427(int t) {
        return t + T_427;
    }
    int rule428(int t) {
        return t + T_428;
    }
    int rule429(int t) {
        return t + T_429;
    }
    int rule430(int t) {
        return t + T_430;
    }
    int rule431(int t) {
        return t + T_431;
    }
    int rule432(int t) {
        return t + T_432;
    }
    int rule433(int t) {
        return t + T_433;
    }
    int rule434(int t) {
        return t + T_434;
    }
    int rule435(int t) {
        return t + T_435;
    }
    int rule436(int t) {
        return t + T_436;
    }
    int rule437(int t) {
        return t + T_437;
    }
    int rule438(int t) {
        return t + T_438;
    }
    int rule439(int t) {
        return t + T_439;
    }
    int rule440(int t) {
        return t + T_440;
    }
    int rule441(int t) {
        return t + T_441;
    }
    int rule442(int t) {
        return t + T_442;
    }
    int rule443(int t) {
        return t + T_443;
    }
    int rule444(int t) {
        return t + T_444;
    }
    int rule445(int t) {
        return t + T_445;
    }
    int rule446(int t) {
        return t + T_446;
    }
    int rule447(int t) {
        return t + T_447;
    }
    int rule448(int t) {
        return t + T_448;
    }
    int rule449(int t) {
        return t + T_449;
    }
    int rule450(int t) {
        return t + T_450;
    }
    int rule451(int t) {
        return t + T_451;
    }
    int rule452(int t) {
        return t + T_452;
    }
    int rule453(int t) {
        return t + T_453;
    }
    int rule454(int t) {
        return t + T_454;
    }
    int rule455(int t) {
        return t + T_455;
    }
    int rule456(int t) {
        return t + T_456;
    }
    int rule457(int t) {
        return t + T_457;
    }
    int rule458(int t) {
        return t + T_458;
    }
    int rule459(int t) {
        return t + T_459;
    }
    int rule460(int t) {
        return t + T_460;
    }
    int rule461(int t) {
        return t + T_461;
    }









    // end
}
