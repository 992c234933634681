package nested;

/** Twelve types, one in the other, with a field in each. */
class Level01 {
    int at1 = 1;
    interface Level02 {
        int at2 = 2;
        record Level03(int part3) {
            static int at3 = 3;
            enum Level04 {
                ONE, TWO;
                int at4 = 4;
                class Level05 {
                    int at5 = 5;
                    interface Level06 {
                        int at6 = 6;
                        record Level07(int part7) {
                            static int at7 = 7;
                            enum Level08 {
                                ONE, TWO;
                                int at8 = 8;
                                class Level09 {
                                    int at9 = 9;
                                    interface Level10 {
                                        int at10 = 10;
                                        record Level11(int part11) {
                                            static int at11 = 11;
                                            enum Level12 {
                                                ONE, TWO;
                                                int at12 = 12;
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
