Dear reader,

this is not Java at all; { it was saved ( under the wrong name ]].
#include <stdio.h>
<html class="x"> 100% ?? ` ^^ \ @ 'abc' 0x 1e 09
end.
