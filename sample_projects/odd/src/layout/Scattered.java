package layout;

/* before */ @Deprecated // annotation first
/** Javadoc after the annotation. */
public
/* between */
abstract
class
// the name comes next
Scattered
        <
        T
        >
        extends
        Object
        implements
        Runnable
{
    private
    static
    final
    int
    VALUE
    =
    1
    ,
    OTHER
    =
    2
    ;

    @SuppressWarnings({
        "unused",
        "rawtypes"
    })
    protected
    <
    R
    >
    java
    .
    util
    .
    List
    <R>
    method
    (
        int first,
        int
        second
    )
    throws
    IllegalStateException
    {
        return null;
    }

    public Scattered
    (

    )
    {
    }

    enum
    Small
    {
        A
        ,
        B
        (
        )
        {
        }
    }
}
