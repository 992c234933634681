package broken;

class MergeConflict {

    int before;

<<<<<<< ours
    int size() {
        return 1;
    }
||||||| base
    int size() {
=======
    long size(boolean exact) {
        return 2;
    }
>>>>>>> theirs

    int after;
}
